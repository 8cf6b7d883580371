import { apiVersion, fieldManagers } from '../api/names.ts';
import type { KubeObject, Stored } from '../api/resources/kubeObject.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import type { NetworkStatus } from '../api/resources/networkStatus.ts';
import { ownType } from '../api/resources/own.ts';
import { networkType } from '../api/resources/resources.ts';
import type { Kube } from '../kube/kube.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createThrottle } from '../lib/throttle.ts';
import { isAsleep } from './wake.ts';

/** An apply names only the fields that its manager owns. */
type PartialNetwork = KubeObject & { status: Pick<NetworkStatus, 'lastActivityAt'> };
const partialNetworkType = ownType<PartialNetwork>(networkType.kind);

const intervalMs = 60_000;
/** A wake request is repeated until the cache shows it. */
const wakeIntervalMs = 1000;

/** Records that a network is in use, which keeps it from being stopped and wakes a stopped one. Never throws. */
export type Touch = (network: Stored<NetworkResource>) => void;

export interface ActivityDeps {
  kube: Pick<Kube, 'apply' | 'serverTimeMs'>;
  /** Requests that a stopped network be started. Returns immediately and never throws. */
  wake(networkUid: string): void;
  clock: Clock;
  log: Log;
}

/**
 * Writes status.lastActivityAt (in the cluster's time) of touched networks in the background, at most once a minute per
 * network across all replicas, as far as the cache shows. Also wakes stopped networks.
 */
export function createTouch({ kube, wake, clock, log }: ActivityDeps): Touch {
  const isWakeDue = createThrottle(clock, wakeIntervalMs);
  const writes = createThrottle(clock, intervalMs);

  const write = async ({ metadata: { name, namespace, uid } }: Stored<NetworkResource>): Promise<void> => {
    const lastActivityAt = toRfc3339(await kube.serverTimeMs());
    // The uid protects a new network of the same name.
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
      log.debug('cannot record the activity of a network', { network: name, reason: messageOf(error) });
    });
  };
}

/** Whether any replica recorded activity within the interval. */
function wasActive({ status }: Stored<NetworkResource>, nowMs: number): boolean {
  const activeMs = parseRfc3339(status?.lastActivityAt);
  return activeMs !== undefined && Math.abs(nowMs - activeMs) < intervalMs;
}
