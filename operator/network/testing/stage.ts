import { isDeepStrictEqual } from 'node:util';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType, snapshotType } from '../../../core/api/resources/resources.ts';
import type { SnapshotResource, SnapshotStatus } from '../../../core/api/resources/snapshot.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import { confined } from '../../../core/kube/testing/confined.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import type { NetworkCaches } from '../deps.ts';
import { endStateOf } from './endState.ts';
import { startNode } from './node.ts';
import { createWorkspaceNamespace } from './operator.ts';
import { createWholeCaches } from './wholeCaches.ts';

const limitMs = 300_000;
const name = 'net';

/** A condition on a network, which is undefined if it does not exist, and on the number of its children. */
export type IsThere = (network: NetworkResource | undefined, children: number) => boolean;

/** User actions on the stage's only network. */
export interface Hands {
  create(spec: NetworkResource['spec']): Promise<void>;
  patch(patch: object, subresource?: 'status'): Promise<void>;
  remove(): Promise<void>;
  /** Creates a snapshot with this status. */
  snapshot(name: string, status: SnapshotStatus): Promise<void>;
  /** Resolves when `isThere` holds and no child is terminating. */
  reach(isThere: IsThere): Promise<void>;
}

/** A namespace with a simulated node, and caches that are independent of any operator. */
export interface Stage {
  namespace: string;
  kube: Kube;
  hands: Hands;
  network(): NetworkResource | undefined;
  /** The end state according to endStateOf, and the parts of all pods that were run. */
  state(): { podsRun: string[] };
  /** Resolves when the state is `expected`, or after a timeout. */
  settle(expected: object): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(cluster: Kube): Promise<Stage> {
  const namespace = await createWorkspaceNamespace(cluster);
  const kube = confined(cluster, namespace);
  const caches = await startCaches(kube);
  const node = startNode(kube, caches.pods);
  let uid = '';
  const network = () => caches.networks.byIndex('uid', uid)[0];
  const state = () => ({ ...endStateOf(caches, namespace, uid), podsRun: [...node.seen.values()].sort() });
  const isAt = (isThere: IsThere) => {
    const { children } = endStateOf(caches, namespace, uid);
    return isThere(network(), children.length) && !children.some(({ isEnding }) => isEnding);
  };
  const until = (isThere: () => boolean) => awaitChange(caches, isThere);
  const shows = (version = '0') => Number(network()?.metadata.resourceVersion) >= Number(version);
  return {
    namespace,
    kube,
    network,
    state,
    hands: {
      async create(spec) {
        const metadata = { name, namespace };
        const made = await kube.create(networkType, {
          apiVersion: 'slipway.dev/v1alpha1',
          kind: 'Network',
          metadata,
          spec,
        });
        uid = made.metadata.uid ?? '';
        await until(() => shows());
      },
      async patch(patch, subresource) {
        const { metadata } = await kube.patch(networkType, { namespace, name }, patch, subresource);
        await until(() => shows(metadata.resourceVersion));
      },
      async snapshot(snapshot, status) {
        const metadata = { name: snapshot, namespace };
        const made = {
          apiVersion: 'slipway.dev/v1alpha1',
          kind: 'Snapshot',
          metadata,
          spec: { network: name },
        };
        await kube.create(snapshotType, made as SnapshotResource);
        await kube.patch(snapshotType, metadata, { status }, 'status');
      },
      remove: async () => void (await kube.delete(networkType, { namespace, name })),
      async reach(isThere) {
        if (!(await until(() => isAt(isThere)))) throw new Error(`stuck: ${JSON.stringify(state())}`);
      },
    },
    settle: async (expected) => void (await until(() => isDeepStrictEqual(state(), expected))),
    async close() {
      await node.stop();
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    },
  };
}

async function startCaches(kube: Kube): Promise<NetworkCaches> {
  const kubeMetrics = { watchRestarts: () => undefined };
  const caches = createWholeCaches({ kube, clock: systemClock, log: silentLog, kubeMetrics });
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  return caches;
}

/** Resolves with true once `isThere` holds, which is checked at each change, or with false after a timeout. */
function awaitChange(caches: NetworkCaches, isThere: () => boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isInTime: boolean) => {
      cancel();
      for (const stop of stops) stop();
      resolve(isInTime);
    };
    const check = () => isThere() && finish(true);
    const cancel = systemClock.after(limitMs, () => finish(false));
    const stops = [
      ...[caches.networks, caches.pods, caches.services, caches.configMaps, caches.volumeClaims].map(
        (cache) => cache.onChange(check),
      ),
    ];
    check();
  });
}
