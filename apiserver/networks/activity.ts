import type { KubeObject, ResourceType } from '../../core/api/kubeObject.ts';
import { apiVersion, fieldManagers } from '../../core/api/names.ts';
import type { NetworkResource, NetworkStatus } from '../../core/api/network.ts';
import { networkType } from '../../core/api/resources.ts';
import { type Clock, parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Store } from '../kubeErrors.ts';

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
/** A stopped network waits for this write; it is tried again until its status shows it. */
const wakeIntervalMs = 1000;
const maxRemembered = 10_000;

/** Notes that a network is in use, which keeps it from being stopped and wakes a stopped one. Never fails. */
export type Touch = (network: NetworkResource) => void;

export interface ActivityDeps {
  kube: Pick<Store, 'apply' | 'serverTimeMs'>;
  clock: Clock;
  log: Log;
}

/**
 * Writes status.lastActivityAt (the cluster's time) of networks that are touched, in the background, at most once a
 * minute for each network over all replicas as far as the cache knows.
 */
export function createTouch({ kube, clock, log }: ActivityDeps): Touch {
  const writtenMs = new Map<string, number>();

  const write = async (network: NetworkResource): Promise<void> => {
    const { name, namespace = '', uid = '' } = network.metadata;
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
    const { uid = '', name, deletionTimestamp } = network.metadata;
    const nowMs = clock.nowMs();
    const sinceWrittenMs = nowMs - (writtenMs.get(uid) ?? Number.NEGATIVE_INFINITY);
    const waitMs = isWaitingForWake(network) ? wakeIntervalMs : intervalMs;
    if (deletionTimestamp !== undefined || sinceWrittenMs < waitMs || isFresh(network, nowMs)) return;
    if (writtenMs.size >= maxRemembered) writtenMs.clear();
    writtenMs.set(uid, nowMs);
    write(network).catch((error) => {
      writtenMs.delete(uid);
      log.debug('activity was not written', { network: name, reason: messageOf(error) });
    });
  };
}

/** Stopped, or about to be, without activity since. */
function isWaitingForWake({ status }: NetworkResource): boolean {
  const stoppedMs = parseRfc3339(status?.lastStoppedAt) ?? 0;
  const activeMs = parseRfc3339(status?.lastActivityAt) ?? 0;
  return (status?.state === 'Stopped' || status?.state === 'Stopping') && activeMs <= stoppedMs;
}

/** Whether another replica has written within the interval. */
function isFresh(network: NetworkResource, nowMs: number): boolean {
  const activeMs = parseRfc3339(network.status?.lastActivityAt);
  if (activeMs === undefined || isWaitingForWake(network)) return false;
  return Math.abs(nowMs - activeMs) < intervalMs;
}
