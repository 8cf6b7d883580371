import { apiVersion, fieldManagers } from '../../core/api/names.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource, NetworkStatus } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { createThrottle } from '../../core/lib/throttle.ts';
import { isAsleep } from '../../core/networks/wake.ts';
import type { Store } from '../store/kubeErrors.ts';

/** An apply names only the fields that its manager owns. */
type PartialNetwork = KubeObject & { status: Pick<NetworkStatus, 'lastActivityAt'> };
const partialNetworkType: ResourceType<PartialNetwork> = {
  group: networkType.group,
  version: networkType.version,
  kind: networkType.kind,
  plural: networkType.plural,
  isNamespaced: networkType.isNamespaced,
};

const intervalMs = 60_000;
/** A wake-up is asked for again until the cache shows that it was. */
const wakeIntervalMs = 1000;

/** Notes that a network is in use, which keeps it from being stopped and wakes a stopped one. Never fails. */
export type Touch = (network: Stored<NetworkResource>) => void;

export interface ActivityDeps {
  kube: Pick<Store, 'apply' | 'serverTimeMs'>;
  /** Asks for a stopped network to be started. Returns at once and never throws. */
  wake(networkUid: string): void;
  clock: Clock;
  log: Log;
}

/**
 * Writes status.lastActivityAt (the cluster's time) of networks that are touched, in the background, at most once a
 * minute for each network over all replicas as far as the cache knows. Stopped ones it wakes as well.
 */
export function createTouch({ kube, wake, clock, log }: ActivityDeps): Touch {
  const isWakeDue = createThrottle(clock, wakeIntervalMs);
  const writes = createThrottle(clock, intervalMs);

  const write = async ({ metadata: { name, namespace, uid } }: Stored<NetworkResource>): Promise<void> => {
    const lastActivityAt = toRfc3339(await kube.serverTimeMs());
    // With the uid, a namesake that was created meanwhile is left alone.
    const metadata = { name, namespace, uid };
    const applied = { apiVersion, kind: 'Network', metadata, status: { lastActivityAt } };
    await kube.apply(partialNetworkType, applied, {
      fieldManager: fieldManagers.apiserver,
      subresource: 'status',
    });
  };

  return (network) => {
    const { uid, name, deletionTimestamp } = network.metadata;
    if (deletionTimestamp !== undefined) return;
    if (isAsleep(network) && isWakeDue.take(uid)) wake(uid);
    if (wasActive(network, clock.nowMs()) || !writes.take(uid)) return;
    write(network).catch((error) => {
      writes.giveBack(uid);
      log.debug('activity was not written', { network: name, reason: messageOf(error) });
    });
  };
}

/** Whether activity was noted within the interval, by whichever replica. */
function wasActive({ status }: Stored<NetworkResource>, nowMs: number): boolean {
  const activeMs = parseRfc3339(status?.lastActivityAt);
  return activeMs !== undefined && Math.abs(nowMs - activeMs) < intervalMs;
}
