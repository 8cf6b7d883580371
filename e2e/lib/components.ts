import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson, kubectl } from './cluster.ts';
import { until } from './service.ts';

/** The Deployments of the release. */
export const components = ['apiserver', 'operator', 'webhook'] as const;
export type Component = (typeof components)[number];

/** What tests read of a pod of the release. */
export interface ComponentPod {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { nodeName?: string; containers: { ports: { containerPort: number }[] }[] };
  status: { podIP: string; containerStatuses?: { ready: boolean; restartCount: number }[] };
}

/** Arguments of kubectl that name all pods of a component. */
export const selectorOf = (component: Component): string[] => [
  '--namespace',
  releaseNamespace,
  '--selector',
  `app.kubernetes.io/component=${component}`,
];

/** All pods of a component, also those that are ending. */
export async function allPodsOf(component: Component): Promise<ComponentPod[]> {
  return (await getJson('pods', ...selectorOf(component))).items;
}

/** The pods of a component, without those that are ending. */
export async function podsOf(component: Component): Promise<ComponentPod[]> {
  return (await allPodsOf(component)).filter(({ metadata }) => !metadata.deletionTimestamp);
}

/** True when all containers of a pod are ready. */
export const isReady = ({ status }: ComponentPod): boolean =>
  status.containerStatuses?.every(({ ready }) => ready) ?? false;

/** How often each pod of the API server was restarted, by its name. */
export async function readRestarts(): Promise<Map<string, number | undefined>> {
  const pods = await allPodsOf('apiserver');
  return new Map(
    pods.map(({ metadata, status }) => [metadata.name, status.containerStatuses?.[0]?.restartCount]),
  );
}

/** Waits until all replicas of the release run and are available. */
export async function rolledOut(limitSeconds = 120): Promise<void> {
  for (const component of components) {
    const status = ['rollout', 'status', `deployment/slipway-${component}`, `--timeout=${limitSeconds}s`];
    const { code, stderr } = await kubectl(['--namespace', releaseNamespace, ...status]);
    if (code !== 0) throw new Error(stderr);
  }
}

/** How long the lease of a leader that died is good. */
export const leaseMs = 15_000;
/** How long a standby may take beyond that. */
export const handoverMs = 2_000;

/** The lease of the operator's leader. */
export interface Lease {
  spec: { holderIdentity?: string; renewTime: string; acquireTime: string; leaseTransitions: number };
}

export const readLease = (): Promise<Lease> =>
  getJson('lease', 'slipway-operator', '--namespace', releaseNamespace);

/** Waits until another replica than in `former` leads. */
export function nextLease({ spec: former }: Lease): Promise<Lease> {
  const isNext = ({ spec: { holderIdentity } }: Lease) =>
    Boolean(holderIdentity) && holderIdentity !== former.holderIdentity;
  return until('another leader', readLease, isNext);
}

/** From the last renewal of the former leader to the start of the next one. The leaders wrote both times; they run on one machine. */
export const handoverTime = (former: Lease, next: Lease): number =>
  Date.parse(next.spec.acquireTime) - Date.parse(former.spec.renewTime);
