import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { decide } from '../decide/decide.ts';
import type { NetworkFacts } from '../decide/facts.ts';
import { aNetwork, aPod, factsOf, nowMs, readyStatus } from './facts.ts';

export const hourMs = 3_600_000;
/** RFC 3339. */
export const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A network that has been running for `hours`, with its pod. */
export function running(hours: number, rest: Partial<NetworkResource['spec']> = {}, chain: object = {}) {
  const network = aNetwork({ chainID: '777', ...chain });
  network.spec = { ...network.spec, ...rest };
  const first = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));
  const status: NetworkStatus = { ...first.status, lastWakeUpAt: at(nowMs - hours * hourMs) };
  const known = { ...network, status };
  return { network: known, facts: factsOf(known, { pods: [aPod(known, readyStatus)] }) };
}

/** The facts once the network has this status. */
export function withStatus(
  facts: NetworkFacts,
  status: NetworkStatus,
  others: Partial<NetworkFacts> = {},
): NetworkFacts {
  return { ...facts, ...others, network: { ...facts.network, status } };
}
