import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { chainChangeOf, chainMembersOf, hasChain } from '../../../core/networks/chainChange.ts';
import { begunProfile, profileOf } from '../../../core/networks/profiles.ts';
import type { Maintenance } from '../lifecycle/maintenance.ts';
import type { NetworkFacts } from './facts.ts';

/** The status fields that say which chain a network runs. */
type ChainStatus = Pick<NetworkStatus, 'incarnation' | 'previousChain' | 'chainID' | 'reset'>;

/** What the end of a chain depends on. */
type EndFacts = Pick<NetworkFacts, 'network' | 'nowMs' | 'answers' | 'lastBlock'>;

/** The facts once a changed spec or a requested reset has begun its new chain, and what that writes to the status. */
export function withChain(
  facts: NetworkFacts,
  maintenance: Maintenance,
): { facts: NetworkFacts; writes: ChainStatus } {
  const { network } = facts;
  const writes = chainStatusOf(facts, maintenance);
  const status = { ...network.status, ...writes };
  return { facts: { ...facts, network: { ...network, status } }, writes };
}

function chainStatusOf(facts: NetworkFacts, maintenance: Maintenance): ChainStatus {
  const { spec, status } = facts.network;
  const { reset, previousChain } = status ?? {};
  const profile = begunProfile(spec.chain, status);
  const incarnation = status?.incarnation && { ...status.incarnation, ...compact({ profile }) };
  const members = chainMembersOf(spec);
  const kept = { reset, previousChain, chainID: status?.chainID };
  if (!incarnation) return { ...kept, incarnation: firstOf(facts, 0) };
  if (maintenance.kind === 'reset' && maintenance.isNew) {
    const target = spec.from ? ` with the snapshot "${spec.from.snapshot}"` : '';
    const reason = `${maintenance.reset.action}${target} was requested`;
    return { ...kept, ...begin(facts, reason) };
  }
  const { effect, paths } = chainChangeOf(facts.network);
  if (effect === 'newChain') {
    const reason = `${paths.join(', ')} changed`;
    // A named id belongs to the network once it runs with it; a former Resync was for the former spec.
    return {
      ...begin(facts, reason),
      reset: undefined,
      chainID: facts.namedChainId ? undefined : kept.chainID,
    };
  }
  if (effect === 'none') return { ...kept, incarnation };
  const revision = incarnation.revision + (effect === 'newPods' ? 1 : 0);
  const adjusted = effect === 'adjust' ? { adjusted: 'pending' } : {};
  return { ...kept, incarnation: { ...incarnation, members, revision, ...adjusted } };
}

/** The next chain begins, for this reason. */
export function begin(facts: EndFacts, reason: string): Pick<ChainStatus, 'incarnation' | 'previousChain'> {
  const number = (facts.network.status?.incarnation?.number ?? 0) + 1;
  return { incarnation: firstOf(facts, number), previousChain: endOfChain(facts, reason) };
}

/** What a chain begins with. */
function firstOf({ network: { spec, status } }: EndFacts, number: number) {
  const profile = profileOf(spec.chain, status);
  return { number, members: chainMembersOf(spec), ...compact({ profile }), revision: 0 };
}

/** The incarnation of a network whose chain ended without a request for another one: its plugins start from scratch as well. */
export function afterLoss(
  { status }: NetworkFacts['network'],
  previousChain: NetworkStatus['previousChain'],
): NetworkStatus['incarnation'] {
  const { incarnation } = status ?? {};
  const isNews = previousChain?.enclaveID !== status?.previousChain?.enclaveID;
  if (!incarnation || !isNews) return incarnation;
  return { ...incarnation, losses: (incarnation.losses ?? 0) + 1 };
}

/** What the status says of the chain that ends now; of the one before it if that has ended already. */
export function endOfChain(
  { network, nowMs, answers, lastBlock }: EndFacts,
  reason: string,
): NetworkStatus['previousChain'] {
  const { enclaveID, previousChain } = network.status ?? {};
  if (!hasChain(network) || enclaveID === undefined) return previousChain;
  if (previousChain?.enclaveID === enclaveID) return previousChain;
  return {
    enclaveID,
    ...compact({ lastBlock: answers.lastBlock ?? lastBlock }),
    endedAt: toRfc3339(nowMs),
    reason,
  };
}
