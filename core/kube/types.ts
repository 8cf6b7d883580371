import type {
  V1EndpointSlice,
  V1JobSpec,
  V1PersistentVolumeClaimSpec,
  V1PodSpec,
  V1ServiceSpec,
} from '@kubernetes/client-node';
import type { KubeObject, NamespacedObject, ResourceType } from './kube.ts';

/** The parts of built-in Kubernetes kinds that Slipway reads and writes. Times are RFC 3339 strings, as on the wire. */

interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: {
    exitCode: number;
    reason?: string;
    message?: string;
    startedAt?: string;
    finishedAt?: string;
  };
}

export interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
  started?: boolean;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface PodStatus {
  phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  reason?: string;
  message?: string;
  podIP?: string;
  startTime?: string;
  conditions?: Condition[];
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
}

export interface Pod extends NamespacedObject {
  spec: V1PodSpec;
  status?: PodStatus;
}

export interface Service extends NamespacedObject {
  spec: V1ServiceSpec;
}

export interface ConfigMap extends NamespacedObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

/** A Secret of the core group; Slipway's own Secret is another kind. */
export interface CoreSecret extends NamespacedObject {
  type?: string;
  /** Base64. */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
}

export interface PersistentVolumeClaim extends NamespacedObject {
  spec: V1PersistentVolumeClaimSpec;
  status?: { phase?: 'Pending' | 'Bound' | 'Lost' };
}

export interface Job extends NamespacedObject {
  spec: V1JobSpec;
  status?: { active?: number; succeeded?: number; failed?: number; conditions?: Condition[] };
}

export interface Namespace extends KubeObject {
  status?: { phase?: 'Active' | 'Terminating' };
}

export interface EndpointSlice extends NamespacedObject {
  addressType: 'IPv4' | 'IPv6' | 'FQDN';
  endpoints: V1EndpointSlice['endpoints'];
  ports?: V1EndpointSlice['ports'];
}

export interface Lease extends NamespacedObject {
  spec?: {
    holderIdentity?: string | null;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

export interface CoreEvent extends NamespacedObject {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  count?: number;
  firstTimestamp?: string;
  lastTimestamp?: string;
  involvedObject: {
    apiVersion: string;
    kind: string;
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
  };
  source?: { component?: string };
  reportingComponent?: string;
}

const core = { group: '', version: 'v1', isNamespaced: true } as const;

export const podType: ResourceType<Pod> = { ...core, kind: 'Pod', plural: 'pods' };
export const serviceType: ResourceType<Service> = { ...core, kind: 'Service', plural: 'services' };
export const configMapType: ResourceType<ConfigMap> = { ...core, kind: 'ConfigMap', plural: 'configmaps' };
export const coreSecretType: ResourceType<CoreSecret> = { ...core, kind: 'Secret', plural: 'secrets' };
export const coreEventType: ResourceType<CoreEvent> = { ...core, kind: 'Event', plural: 'events' };
export const persistentVolumeClaimType: ResourceType<PersistentVolumeClaim> = {
  ...core,
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
};
export const namespaceType: ResourceType<Namespace> = {
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};
export const jobType: ResourceType<Job> = { ...core, group: 'batch', kind: 'Job', plural: 'jobs' };
export const leaseType: ResourceType<Lease> = {
  ...core,
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
};
export const endpointSliceType: ResourceType<EndpointSlice> = {
  ...core,
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
};
