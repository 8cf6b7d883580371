import type { NetworkResource } from '../api/resources/network.ts';

/** The reason of a network whose engine is about to be restarted, but whose last transactions have to be settled first. */
export const settlingReason = 'Settling';

/** Whether the engine that a network had still runs, although it is Pending. */
export function isSettling({ status }: Pick<NetworkResource, 'status'>): boolean {
  return status?.state === 'Pending' && status.reason === settlingReason;
}
