import type { Network } from '../../../../sdk/src/generated/types.ts';
import { durationMs } from '../../lib/time.ts';
import { stateOf } from '../networks/filter.ts';

export type Idle = 'never' | 'unknown' | 'notRunning' | { inMs: number };

/**
 * When the network stops if nobody uses it from now on, as far as this tab knows its last use. `defaultMs`: how long after its
 * last wake-up one stops that names no time; undefined while that is not known.
 */
export function idleOf(network: Network, nowMs: number, defaultMs: number | undefined): Idle {
  const { spec, status } = network;
  if (spec.persistent) return 'never';
  if (stateOf(network) !== 'Operational') return 'notRunning';
  const ownMs = durationMs(spec.idleAfter);
  const idleMs = ownMs ?? defaultMs;
  const activity = ownMs === undefined ? undefined : status?.lastActivityAt;
  const times = [activity, status?.lastWakeUpAt, status?.persistentUntil];
  const used = Math.max(...times.map((text) => Date.parse(text ?? '')).filter((ms) => !Number.isNaN(ms)), 0);
  if (idleMs === undefined || used === 0) return 'unknown';
  return { inMs: Math.max(0, used + idleMs - nowMs) };
}
