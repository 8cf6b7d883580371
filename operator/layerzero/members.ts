import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { isRunning } from '../../core/networks/incarnation.ts';
import { hasWakeValue, mustWake } from '../../core/networks/wake.ts';
import type { LayerZeroDecision, LayerZeroFacts, MemberBlocker, NamedMember } from './facts.ts';

/** How long a member may come after the network that names it, as in one `kubectl apply` of both. */
const graceMs = 15_000;

export function blockerOf(
  member: NamedMember,
  { network: { metadata }, nowMs }: Pick<LayerZeroFacts, 'network' | 'nowMs'>,
): MemberBlocker | undefined {
  const { name, network } = member;
  const remedy = 'create it, or take it out of spec.chain.layerzero.networks';
  if (!network) {
    const ageMs = nowMs - Date.parse(metadata.creationTimestamp);
    const message = `the member «${name}» is not in this workspace: ${remedy}`;
    return { reason: 'MemberMissing', message, isPassing: ageMs < graceMs };
  }
  if (network.metadata.deletionTimestamp) {
    const message = `the member «${name}» is being deleted: ${remedy}`;
    return { reason: 'MemberMissing', message, isPassing: false };
  }
  const { type } = network.spec.chain;
  if (!isEvmChain(type)) {
    const message = `the member «${name}» is of type ${type}: members are EVM networks`;
    return { reason: 'MemberUnusable', message, isPassing: false };
  }
  return blockerOfState(name, network);
}

function blockerOfState(name: string, network: Stored<NetworkResource>): MemberBlocker | undefined {
  const { state = 'Pending', message } = network.status ?? {};
  if (isRunning(network)) return undefined;
  if (state === 'Error') {
    const text = `the member «${name}» is in Error: ${message ?? 'see its status'}`;
    return { reason: 'MemberFailed', message: text.slice(0, 1000), isPassing: false };
  }
  const remedy = state === 'Stopped' ? '; use wakes it' : '';
  const text = `waits for the member «${name}», which is ${state}${remedy}`;
  return { reason: 'MemberNotReady', message: text, isPassing: true };
}

/**
 * Members that stopped before this network was last used, are woken: once for each stop. What is delivered between
 * members is no use of them, so they stop as others do.
 */
export function wakesOf({ network, members }: LayerZeroFacts, wokenAt?: string): LayerZeroDecision['wakes'] {
  const { metadata, status } = network;
  const isCalled = mustWake(network);
  const uses = [metadata.creationTimestamp, status?.lastActivityAt, status?.lastWakeUpAt, wokenAt];
  const usedMs = Math.max(...uses.map((time) => parseRfc3339(time) ?? 0));
  return members.flatMap(({ network: member }) => {
    if (!member || member.metadata.deletionTimestamp || member.status?.state !== 'Stopped') return [];
    const { lastStoppedAt = '' } = member.status;
    if (!isCalled && usedMs <= (parseRfc3339(lastStoppedAt) ?? 0)) return [];
    const value = `${metadata.uid}/${lastStoppedAt}`;
    return hasWakeValue(member, value) ? [] : [{ network: member, value }];
  });
}
