import type { NetworkResource, NetworkStatus } from '../../../core/api/resources/network.ts';
import { maintenanceRefusal } from '../../../core/api/rules/forking.ts';
import type { Pod } from '../../../core/kube/types.ts';
import type { LifecycleFacts } from '../decide/facts.ts';

/** The maintenance request of a network that was not applied yet. */
export type Maintenance =
  | { kind: 'none' }
  /** A new life of the network: its number is already in `reset`. */
  | { kind: 'reset'; nonce: number; reset: NonNullable<NetworkStatus['reset']> }
  | { kind: 'restart'; nonce: number }
  | { kind: 'refused'; nonce: number; message: string };

export function maintenanceOf({ network }: Pick<LifecycleFacts, 'network'>): Maintenance {
  const { action, nonce } = network.spec.maintenanceRequest ?? {};
  if (action === undefined || nonce === undefined) return { kind: 'none' };
  // A refusal is told as long as the request stands.
  const message = maintenanceRefusal(network.spec);
  if (message !== undefined) return { kind: 'refused', nonce, message };
  if (nonce === (network.status?.observedMaintenanceNonce ?? 0)) return { kind: 'none' };
  if (action === 'Restart') return { kind: 'restart', nonce };
  return { kind: 'reset', nonce, reset: { action, nonce } };
}

/** The facts as they are once a reset has begun: everything after it belongs to the new life. */
export function withReset<Facts extends Pick<LifecycleFacts, 'network'>>(
  facts: Facts,
  maintenance: Maintenance,
): Facts {
  if (maintenance.kind !== 'reset') return facts;
  const network: NetworkResource = {
    ...facts.network,
    status: { ...facts.network.status, reset: maintenance.reset },
  };
  return { ...facts, network };
}

/** A nonce is observed once its action took effect, or was refused. */
export function observedNonce(
  { network }: Pick<LifecycleFacts, 'network'>,
  maintenance: Maintenance,
  isReady: boolean,
): number {
  const before = network.status?.observedMaintenanceNonce ?? 0;
  if (maintenance.kind === 'none') return before;
  return maintenance.kind === 'refused' || isReady ? maintenance.nonce : before;
}

/**
 * A restart is asked for by an ephemeral container that ends the engine's process; its name carries the nonce, so
 * that it happens once. The engine writes its state down when it ends, and reads it when it begins.
 */
export function restartName(nonce: number): string {
  return `restart-${nonce}`;
}

/** Whether the restart has taken effect: the engine began after the ephemeral container ended. */
export function hasRestarted(pod: Pod, nonce: number): boolean {
  const asked = pod.status?.ephemeralContainerStatuses?.find(({ name }) => name === restartName(nonce));
  const endedAt = asked?.state?.terminated?.finishedAt;
  const startedAt = pod.status?.containerStatuses?.[0]?.state?.running?.startedAt;
  return endedAt !== undefined && startedAt !== undefined && Date.parse(startedAt) >= Date.parse(endedAt);
}

/** How many of the container's restarts were asked for. */
export function askedRestarts(pod: Pod): number {
  const statuses = pod.status?.ephemeralContainerStatuses ?? [];
  return statuses.filter(
    ({ name, state }) => name.startsWith('restart-') && state?.terminated?.exitCode === 0,
  ).length;
}
