import type { Condition } from '../../../core/api/common.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { conditionOf } from '../../runtime/status.ts';

/** Reason of the Ready condition of a network that was stopped by hand; a persistent one stays stopped then. */
export const stopRequested = 'StopRequested';

type Conditions = Pick<NetworkStatus, 'conditions'>;

/** The Ready condition. */
export function readyOf(status: Conditions | undefined): Condition | undefined {
  return conditionOf(status, 'Ready');
}

/** Reason of the Ready condition. */
export function readyReasonOf(status: Conditions | undefined): string | undefined {
  return readyOf(status)?.reason;
}
