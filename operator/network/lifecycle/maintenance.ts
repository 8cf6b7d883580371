import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { maintenanceRefusal } from '../../../core/api/rules/forking.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';

/** What a request has besides its action. Names derive from `number`, because a nonce can be reused. */
interface Request {
  nonce: number;
  /** Numbers the requests of a network from 1 on. */
  number: number;
  /** Whether it begins with this decision. */
  isNew: boolean;
  sinceMs: number;
}

/** A network's maintenance request that has not taken effect yet. */
export type Maintenance =
  | { kind: 'none' }
  | ({ kind: 'reset'; reset: NonNullable<NetworkStatus['reset']> } & Request)
  | ({ kind: 'restart' } & Request)
  | { kind: 'refused'; nonce: number; message: string };

export function maintenanceOf({ spec, status }: Stored<NetworkResource>, nowMs: number): Maintenance {
  const { action, nonce } = spec.maintenanceRequest ?? {};
  if (action === undefined || nonce === undefined) return { kind: 'none' };
  // A refusal is reported for as long as the request is in the spec.
  const message = maintenanceRefusal(spec);
  if (message !== undefined) return { kind: 'refused', nonce, message };
  if (nonce === (status?.observedMaintenanceNonce ?? 0)) return { kind: 'none' };
  const former = status?.maintenance;
  const isNew = former?.action !== action || former.nonce !== nonce;
  const request: Request = {
    nonce,
    isNew,
    number: (former?.count ?? 0) + (isNew ? 1 : 0),
    sinceMs: isNew ? nowMs : (parseRfc3339(former.since) ?? nowMs),
  };
  if (action === 'Restart') return { kind: 'restart', ...request };
  return { kind: 'reset', ...request, reset: { action, nonce } };
}

/** How many requests have begun, and the one under way. A request that is withdrawn begins again when it comes back. */
export function maintenanceStatusOf(
  { status }: Stored<NetworkResource>,
  maintenance: Maintenance,
): NetworkStatus['maintenance'] {
  if (maintenance.kind === 'restart' || maintenance.kind === 'reset') {
    const action = maintenance.kind === 'restart' ? 'Restart' : maintenance.reset.action;
    const { number: count, nonce, sinceMs } = maintenance;
    return { count, action, nonce, since: toRfc3339(sinceMs) };
  }
  return finished(status?.maintenance);
}

/** The requests so far, with none under way. */
export function finished(maintenance: NetworkStatus['maintenance']): NetworkStatus['maintenance'] {
  return maintenance && { count: maintenance.count };
}
