import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { type Pod, podType } from '../../core/kube/types.ts';
import { waitUntil } from '../lib/wait.ts';
import { type Deployment, deploymentType, installedSelector } from './kinds.ts';

const limitMs = 5 * 60_000;
const component = 'app.kubernetes.io/component';
/** On a Deployment that a restore has stopped: how many replicas it had. */
const replicasAnnotation = 'slipway.dev/replicas-before-restore';

/** The Deployments that write: while they run, a restore would race with them. */
const writers = ['apiserver', 'operator'];

export interface Services {
  /** Stops what writes, and waits until it has ended. */
  stop(): Promise<void>;
  /** Lets what keeps running, such as the admission webhook, read the restored keys. */
  reloadKeys(): Promise<void>;
  start(): Promise<void>;
}

export function createServices(kube: Kube, namespace: string): Services {
  const list = async (isWriter: boolean) =>
    (await kube.list(deploymentType, { namespace, labelSelector: installedSelector })).items.filter(
      ({ metadata }) => writers.includes(metadata.labels?.[component] ?? '') === isWriter,
    );
  return {
    async stop() {
      for (const { metadata, spec } of await list(true)) {
        const before = metadata.annotations?.[replicasAnnotation] ?? String(spec.replicas ?? 1);
        const annotations = { [replicasAnnotation]: before };
        await kube.patch(deploymentType, metadata, { metadata: { annotations }, spec: { replicas: 0 } });
      }
      for (const deployment of await list(true)) await untilGone(kube, deployment);
    },
    async reloadKeys() {
      const at = new Date(await kube.serverTimeMs()).toISOString();
      const template = { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': at } } };
      const others = await list(false);
      for (const { metadata } of others) await kube.patch(deploymentType, metadata, { spec: { template } });
      for (const { metadata } of others) await untilRolledOut(kube, metadata);
      // kube-apiserver keeps its connections to the former pods, which answer with the former keys until they end.
      for (const deployment of others) await untilGone(kube, deployment, isEnding);
    },
    async start() {
      const stopped = await list(true);
      for (const { metadata } of stopped) {
        const replicas = Number(metadata.annotations?.[replicasAnnotation] ?? 1);
        const annotations = { [replicasAnnotation]: null };
        await kube.patch(deploymentType, metadata, { metadata: { annotations }, spec: { replicas } });
      }
    },
  };
}

/** Waits until a Deployment has no pods, or none of those that are ending. */
async function untilGone(
  kube: Kube,
  { metadata, spec }: Stored<Deployment>,
  isMeant: (pod: Stored<Pod>) => boolean = () => true,
): Promise<void> {
  const labelSelector = Object.entries(spec.selector.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const { namespace = '' } = metadata;
  await waitUntil(
    async () => !(await kube.list(podType, { namespace, labelSelector })).items.some(isMeant),
    limitMs,
    `The pods of ${metadata.name} do not end: kubectl -n ${namespace} get pods -l ${labelSelector}`,
  );
}

const isEnding = ({ metadata }: Stored<Pod>): boolean => metadata.deletionTimestamp !== undefined;

async function untilRolledOut(kube: Kube, ref: { name: string; namespace?: string }): Promise<void> {
  await waitUntil(
    async () => {
      const { metadata, spec, status = {} } = (await kube.get(deploymentType, ref)) ?? {};
      if (!metadata || !spec) return true;
      const wanted = spec.replicas ?? 1;
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
      return isSeen && counts.every((count = 0) => count === wanted);
    },
    limitMs,
    `${ref.name} does not become ready with the restored keys: kubectl -n ${ref.namespace} describe deployment ${ref.name}`,
  );
}
