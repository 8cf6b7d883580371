import { labels } from '../../core/api/names.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { endpointSliceType, type Pod, podType, type Service, serviceType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';

/** Runs the pods of networks, in so far as Slipway sees it. */
export interface StandIn {
  /** When each network's pod was made ready (performance.now), by the network's uid. */
  readyAt: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/**
 * Instead of a scheduler, a kubelet and the controller of EndpointSlices: each pod is ready at once, and each Service has
 * `node` behind it. kwok would make pods ready, but gives their Services no address that answers.
 */
export async function startStandIn(kube: Kube, node: { host: string; port: number }): Promise<StandIn> {
  const readyAt = new Map<string, number>();
  const common = { kube, labelSelector: labels.network, log: silentLog, clock: systemClock };
  const pods = createReflector({ ...common, type: podType });
  const services = createReflector({ ...common, type: serviceType });
  const known = new Set<string>();
  const once = (uid: string, work: () => Promise<unknown>) => {
    if (known.has(uid)) return;
    known.add(uid);
    void work().catch((error: unknown) => console.error(String(error)));
  };
  pods.onChange(({ type, object }) => {
    if (type !== 'set' || object.status?.phase === 'Running') return;
    once(object.metadata.uid, async () => {
      await kube.patch(podType, object.metadata, { status: readyStatus(object, node.host) }, 'status');
      readyAt.set(object.metadata.labels?.[labels.network] ?? '', performance.now());
    });
  });
  services.onChange(({ type, object }) => {
    if (type === 'set')
      once(object.metadata.uid, () => kube.create(endpointSliceType, sliceOf(object, node)));
  });
  for (const cache of [pods, services]) cache.start();
  await Promise.all([pods.whenSynced(), services.whenSynced()]);
  return { readyAt, stop: async () => void (await Promise.all([pods.stop(), services.stop()])) };
}

function readyStatus({ spec }: Pod, podIP: string): Pod['status'] {
  const startedAt = new Date().toISOString();
  return {
    ...{ phase: 'Running', podIP, startTime: startedAt },
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      ...{ type, status: 'True', lastTransitionTime: startedAt },
    })),
    containerStatuses: spec.containers.map(({ name }) => ({
      ...{ name, ready: true, restartCount: 0, started: true, image: 'engine', imageID: 'engine' },
      state: { running: { startedAt } },
    })),
  };
}

function sliceOf({ metadata, spec }: Stored<Service>, { host, port }: { host: string; port: number }) {
  const { namespace, name, uid } = metadata;
  return {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' as const },
    metadata: {
      ...{ namespace, name: `${name}-slice` },
      labels: { ...metadata.labels, 'kubernetes.io/service-name': name },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid }],
    },
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports: (spec.ports ?? []).map((one) => ({ name: one.name ?? '', protocol: 'TCP', port })),
  };
}
