import type { NetworkResource, NetworkStatus } from '../../../core/api/resources/network.ts';
import { maintenanceRefusal } from '../../../core/api/rules/forking.ts';
import type { Stored } from '../../../core/kube/kube.ts';

/** The maintenance request of a network that was not applied yet. */
export type Maintenance =
  | { kind: 'none' }
  /** A new incarnation of the network: its number is already in `reset`. */
  | { kind: 'reset'; nonce: number; reset: NonNullable<NetworkStatus['reset']> }
  | { kind: 'restart'; nonce: number }
  | { kind: 'refused'; nonce: number; message: string };

export function maintenanceOf({ spec, status }: Stored<NetworkResource>): Maintenance {
  const { action, nonce } = spec.maintenanceRequest ?? {};
  if (action === undefined || nonce === undefined) return { kind: 'none' };
  // A refusal is reported for as long as the request stands.
  const message = maintenanceRefusal(spec);
  if (message !== undefined) return { kind: 'refused', nonce, message };
  if (nonce === (status?.observedMaintenanceNonce ?? 0)) return { kind: 'none' };
  if (action === 'Restart') return { kind: 'restart', nonce };
  return { kind: 'reset', nonce, reset: { action, nonce } };
}
