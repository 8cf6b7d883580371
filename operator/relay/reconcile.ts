import { findById } from '../../core/api/ids.ts';
import type { JournalResource } from '../../core/api/resources/journal.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { CcipNetwork } from '../../core/crosschain/ccip/ccipNetwork.ts';
import { ccipRelayProtocol } from '../../core/crosschain/ccip/relayProtocol.ts';
import { createPauses, type Pauses } from '../../core/crosschain/relay/pauses.ts';
import type { PositionStore } from '../../core/crosschain/relay/protocol.ts';
import { createRelay, type RelayEvents } from '../../core/crosschain/relay/relay.ts';
import type { TokenContracts } from '../../core/deploy/artifacts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { refOf } from '../../core/kube/objects.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { SharedHeads } from '../../core/networks/heads/sharedHeads.ts';
import { incarnationOf } from '../../core/networks/incarnation.ts';
import type { ChainOf } from '../ports/chains.ts';
import type { Journals } from '../ports/journals.ts';
import type { Signers } from '../ports/signers.ts';
import { createVerifyChain, type VerifiedStanding } from '../ports/verifyChain.ts';
import type { BlockFollowers } from '../runtime/blockFollowers.ts';
import type { Reconcile, ReconcileResult } from '../runtime/controller.ts';
import { chainIn } from './caches.ts';
import { endpointOf, firstBlockOf, isComplete, minedIn } from './endpoints.ts';
import { cachePositions } from './positions.ts';

export interface RelayDeps {
  caches: {
    journals: Pick<Reflector<JournalResource>, 'get' | 'list' | 'byIndex' | 'onChange'>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'byIndex' | 'onChange'>;
  };
  chainOf: ChainOf;
  journals: Journals;
  signers: Signers;
  contracts: TokenContracts;
  events: RelayEvents;
  /** If absent, chains are asked at intervals. */
  heads?: Pick<SharedHeads, 'follow' | 'isSubscribed'>;
  clock: Clock;
  log: Log;
}

/** Sources that are read in parallel. Most of that time is spent waiting for nodes, and some never answer. */
export const relayWorkers = 64;
const pauseMs = 500;
/** The same for a source whose node announces its blocks, while no message waits. */
const quietMs = 30_000;

/** Reconciles journals; the key is `namespace/name`. Rejects when a source cannot be read: its queue then backs off. */
export function createRelayReconcile(deps: RelayDeps, followers: BlockFollowers): Reconcile {
  const verifyChain = createVerifyChain({ networks: deps.caches.networks, chainOf: deps.chainOf });
  const context: PassContext = {
    deps,
    standingOf: (journal) =>
      verifyChain({
        namespace: journal.metadata.namespace,
        ...chainIn(journal.spec.scope),
        mined: minedIn(journal),
      }),
    positionsIn: rememberPositions(deps.journals),
    pauses: createPauses(deps.clock),
  };
  return async (key, signal) => {
    const { namespace, name } = refOf(key);
    const journal = deps.caches.journals.get({ namespace, name });
    if (!journal) {
      followers.leave(key);
      return { state: 'Gone' };
    }
    const { network: id } = chainIn(journal.spec.scope);
    const network = findById(deps.caches.networks, namespace, id)?.metadata.uid ?? id;
    try {
      return nextPass(await pass(context, journal, signal), { followers, key, network });
    } catch (error) {
      if (isAppError(error)) deps.events.interrupted(id, error);
      throw error;
    }
  };
}

interface PassContext {
  deps: RelayDeps;
  standingOf(journal: Stored<JournalResource>): Promise<VerifiedStanding>;
  positionsIn(namespace: string): PositionStore;
  pauses: Pauses;
}

const maxRemembered = 5000;

function rememberPositions(journals: Journals): PassContext['positionsIn'] {
  const stores = createBoundedMap<string, PositionStore>(maxRemembered);
  return (namespace) => {
    const store = stores.get(namespace) ?? cachePositions(journals.positionsIn(namespace));
    stores.set(namespace, store);
    return store;
  };
}

interface Source {
  followers: BlockFollowers;
  key: string;
  network: string;
}

/** When to pass over a source again. */
function nextPass(passed: Passed | undefined, { followers, key, network }: Source): ReconcileResult {
  if (!passed) {
    followers.leave(key);
    return { state: 'Quiet' };
  }
  const isSubscribed = followers.follow(key, network);
  if (passed.hasMore) return { requeueAfterMs: 0 };
  return { requeueAfterMs: isSubscribed && passed.waiting === 0 ? quietMs : pauseMs };
}

interface Passed {
  /** There is more to read immediately. */
  hasMore: boolean;
  /** How many messages are not delivered yet. */
  waiting: number;
}

/** Undefined when no messages can come from there. */
async function pass(
  context: PassContext,
  journal: Stored<JournalResource>,
  signal: AbortSignal,
): Promise<Passed | undefined> {
  const { deps } = context;
  const { namespace } = journal.metadata;
  if (!isComplete(journal) || (await context.standingOf(journal)) !== 'current') return undefined;
  const endpoints = (await reachable(context, journal)).map(endpointOf);
  const protocol = ccipRelayProtocol(endpoints, deps.contracts);
  const { network, incarnation } = chainIn(journal.spec.scope);
  const source = protocol.sources.find((one) => one.network === network && one.incarnation === incarnation);
  if (!source) return undefined;
  let waiting = 0;
  const events: RelayEvents = {
    ...deps.events,
    waiting(from, count, blocksBehind) {
      waiting = count;
      deps.events.waiting(from, count, blocksBehind);
    },
  };
  const relay = createRelay(protocol, {
    positions: context.positionsIn(namespace),
    firstBlock: async () => firstBlockOf(journal),
    pauses: context.pauses,
    clock: deps.clock,
    events,
    chain: async (id) => chainOf(deps, { id, namespace, endpoints, signal }),
  });
  return { hasMore: await relay.pass(source), waiting };
}

/** Journals that messages may be addressed to: those on chains that still exist. */
async function reachable(
  { deps, standingOf }: PassContext,
  { metadata }: Stored<JournalResource>,
): Promise<Stored<JournalResource>[]> {
  const all = deps.caches.journals.byIndex('namespace', metadata.namespace);
  const standings = await Promise.all(all.map(standingOf));
  return all.filter((_, index) => standings[index] !== 'gone');
}

interface ChainRequest {
  /** Of the network. */
  id: string;
  namespace: string;
  endpoints: readonly CcipNetwork[];
  signal: AbortSignal;
}

function chainOf(deps: RelayDeps, { id, namespace, endpoints, signal }: ChainRequest) {
  const enclaveID = incarnationOf(findById(deps.caches.networks, namespace, id)) ?? '';
  const isOlder = endpoints.find((one) => one.id === id)?.incarnation !== enclaveID;
  const service = deps.signers.serviceOf(namespace);
  return deps.chainOf(id, { namespace, enclaveID, isOlder, signers: { service }, signal });
}
