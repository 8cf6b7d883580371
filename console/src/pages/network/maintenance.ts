import type { Network } from '../../../../sdk/src/generated/types.ts';

export type MaintenanceAction = 'Restart' | 'ResetState';

/**
 * The nonce of another maintenance request. It differs from the one that was taken up last, and from one that was asked for and
 * may be taken up at any moment: the same nonce with another action would then be taken for done.
 */
export function nextNonce({ spec, status }: Pick<Network, 'spec' | 'status'>): number {
  return 1 + Math.max(spec.maintenanceRequest?.nonce ?? 0, status?.observedMaintenanceNonce ?? 0);
}
