import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';

/** Reason of the Ready condition of a network that was stopped by hand; a persistent one stays stopped then. */
export const stopRequested = 'StopRequested';

/** Reason of the Ready condition. */
export function readyReasonOf(status: Pick<NetworkStatus, 'conditions'> | undefined): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
}
