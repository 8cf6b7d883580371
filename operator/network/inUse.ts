import type { NetworkResource } from '../../core/api/resources/network.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';

/** The gateway reports activity once a minute. */
const inUseMs = 90_000;

/** Whether somebody uses a network at present. */
export function isInUse({ status }: Pick<NetworkResource, 'status'>, nowMs: number): boolean {
  return nowMs - (parseRfc3339(status?.lastActivityAt) ?? 0) < inUseMs;
}
