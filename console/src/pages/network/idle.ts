import type { Network } from '../../../../sdk/src/generated/types.ts';
import { durationMs } from '../../lib/time.ts';
import { stateOf } from '../networks/filter.ts';

export type Idle = 'never' | 'unknown' | 'notRunning' | { inMs: number };

/** When the network stops if nobody uses it from now on, as far as this tab knows its last use. */
export function idleOf(network: Network, nowMs: number): Idle {
  const { spec, status } = network;
  if (spec.persistent) return 'never';
  if (stateOf(network) !== 'Operational') return 'notRunning';
  const idleMs = durationMs(spec.idleAfter);
  const times = [status?.lastActivityAt, status?.lastWakeUpAt, status?.persistentUntil];
  const used = Math.max(...times.map((text) => Date.parse(text ?? '')).filter((ms) => !Number.isNaN(ms)), 0);
  if (idleMs === undefined || used === 0) return 'unknown';
  return { inMs: Math.max(0, used + idleMs - nowMs) };
}
