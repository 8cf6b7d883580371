import type { KubeObject, ResourceType, Stored } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { chartObject } from '../../../core/engines/testing/engineSets.ts';
import type { Kube, ListOptions, WatchOptions } from '../../../core/kube/kube.ts';
import {
  configMapType,
  endpointSliceType,
  type Pod,
  podType,
  type Service,
  serviceType,
} from '../../../core/kube/types.ts';
import { createWorkspaceNamespace, startOperator } from '../../../operator/network/testing/operator.ts';

const types: ResourceType[] = [networkType, podType, serviceType, configMapType, endpointSliceType];
const name = 'network-00001';

/** A network that runs and all objects that belong to it, as kube-apiserver stores them, in JSON by plural. */
export type Family = Record<string, string>;

/** Starts a network, and does for it what a kubelet and the controller of EndpointSlices do. */
export async function readFamily(kube: Kube): Promise<Family> {
  const namespace = await createWorkspaceNamespace(kube);
  const operator = startOperator({ kube, namespace });
  try {
    const network: NetworkResource = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Network',
      metadata: { name, namespace },
      spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' } } } },
    };
    await kube.create(networkType, network);
    const pod = await operator.caches.pods.waitFor(() => true, { timeoutMs: 120_000 });
    const service = await operator.caches.services.waitFor(() => true, { timeoutMs: 120_000 });
    if (!pod || !service) throw new Error('the network got no pod or no Service');
    await kube.patch(podType, pod.metadata, { status: runningStatus() }, 'status');
    await kube.create(endpointSliceType, aSlice(service, pod));
    await operator.reach(name, ({ status }) => status?.state === 'Operational');
    const lists = types.map(async (type) => {
      const { items } = await kube.list(type, { namespace });
      const own = items.filter(({ metadata }) => metadata.name.startsWith(name));
      return [type.plural, JSON.stringify(own[0])] as const;
    });
    return Object.fromEntries(await Promise.all(lists));
  } finally {
    await operator.stop();
  }
}

function runningStatus(): Pod['status'] {
  const time = '2030-01-02T03:04:05Z';
  const conditions = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  return {
    phase: 'Running',
    podIP: '10.1.2.3',
    startTime: time,
    conditions: conditions.map((type) => ({ type, status: 'True', lastTransitionTime: time })),
    containerStatuses: [
      { name: 'rpc', ready: true, started: true, restartCount: 0, state: { running: { startedAt: time } } },
    ],
  };
}

function aSlice({ metadata }: Stored<Service>, pod: Stored<Pod>) {
  const { namespace, labels } = metadata;
  const owner = { apiVersion: 'v1', kind: 'Service', name: metadata.name, uid: metadata.uid };
  const targetRef = { kind: 'Pod', namespace, name: pod.metadata.name, uid: pod.metadata.uid };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${metadata.name}-abcde`,
      namespace,
      labels: { ...labels, 'kubernetes.io/service-name': metadata.name },
      ownerReferences: [owner],
    },
    addressType: 'IPv4' as const,
    endpoints: [
      { addresses: ['10.1.2.3'], conditions: { ready: true, serving: true }, nodeName: 'node', targetRef },
    ],
    ports: [{ name: 'rpc', port: 8545, protocol: 'TCP' }],
  };
}

const uids = /[0-9a-f]{8}(?=(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** The family of network number `index`: each has names and uids of its own. */
function parseFor(text: string, index: number): Stored<KubeObject> {
  const own = text
    .replaceAll(name, `network-${String(index).padStart(5, '0')}`)
    .replaceAll(uids, index.toString(16).padStart(8, '0'))
    .replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${1000 + index}"`);
  return JSON.parse(own);
}

/** What is watched by its name: of such objects, the cluster has the chart's engines alone. */
function namedItems({ fieldSelector, namespace = '' }: ListOptions): never[] {
  const { metadata, ...engines } = chartObject(namespace);
  const stored = { ...engines, metadata: { ...metadata, uid: 'u-engines', resourceVersion: '1' } };
  return fieldSelector === `metadata.name=${metadata.name}` ? [stored as never] : [];
}

/** A cluster in which nothing happens and `count` such networks run. */
export function manyOf(family: Family, count: number): Pick<Kube, 'list' | 'watch'> {
  return {
    async list(type, options: ListOptions = {}) {
      if (options.fieldSelector !== undefined) return { items: namedItems(options), resourceVersion: '1' };
      const text = family[type.plural];
      const { limit = 500, continueToken = '0' } = options;
      const [from, end] = [Number(continueToken), text === undefined ? 0 : count];
      const to = Math.min(end, from + limit);
      const items = Array.from(
        { length: to - from },
        (_, index) => parseFor(text ?? '', from + index) as never,
      );
      return { items, resourceVersion: '1000000', ...(to < end ? { continueToken: String(to) } : {}) };
    },
    async *watch(_type: unknown, { signal }: WatchOptions) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
}
