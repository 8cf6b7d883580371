import { idOf } from '../../core/api/ids.ts';
import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { isRunning } from '../../core/networks/incarnation.ts';
import { hasWakeValue, mustWake } from '../../core/networks/wake.ts';
import { isYoung } from '../network/lifecycle/isYoung.ts';
import type { LayerZeroDecision, LayerZeroFacts, MemberBlocker, NamedMember } from './facts.ts';

/** Why a member cannot be connected; undefined if it can. */
export function blockerOf(
  member: NamedMember,
  facts: Pick<LayerZeroFacts, 'network' | 'nowMs'>,
): MemberBlocker | undefined {
  const { name, network } = member;
  const remedy = 'create it, or remove it from spec.chain.layerzero.networks';
  if (!network) {
    const message = `member "${name}" does not exist in this workspace: ${remedy}`;
    return { reason: 'MemberMissing', message, isPassing: isYoung(facts) };
  }
  if (network.metadata.deletionTimestamp) {
    const message = `member "${name}" is being deleted: ${remedy}`;
    return { reason: 'MemberMissing', message, isPassing: false };
  }
  const { type } = network.spec.chain;
  if (!isEvmChain(type)) {
    const message = `member "${name}" is of type ${type}: members must be EVM networks`;
    return { reason: 'MemberUnusable', message, isPassing: false };
  }
  return blockerOfState(name, network);
}

function blockerOfState(name: string, network: Stored<NetworkResource>): MemberBlocker | undefined {
  const { state = 'Pending', message } = network.status ?? {};
  if (isRunning(network)) return undefined;
  if (state === 'Error') {
    const text = `member "${name}" is in Error: ${message ?? 'see its status'}`;
    return { reason: 'MemberFailed', message: cut(text, 1000), isPassing: false };
  }
  const remedy = state === 'Stopped' ? '; any request to it wakes it' : '';
  const text = `waiting for member "${name}", which is ${state}${remedy}`;
  return { reason: 'MemberNotReady', message: text, isPassing: true };
}

/**
 * Wakes members that stopped before this network was last used, once per stop. Delivering messages between members
 * does not count as use, so they stop like other networks.
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
    const value = `${idOf(network)}/${lastStoppedAt}`;
    return hasWakeValue(member, value) ? [] : [{ network: member, value }];
  });
}
