import type {
  V1EndpointSlice,
  V1JobSpec,
  V1PersistentVolumeClaimSpec,
  V1PodSpec,
  V1ServiceSpec,
} from '@kubernetes/client-node';
import { type KubeObject, type NamespacedObject, resourceType } from '../api/resources/kubeObject.ts';

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

export const podType = resourceType<Pod>('v1', 'Pod');
export const serviceType = resourceType<Service>('v1', 'Service');
export const configMapType = resourceType<ConfigMap>('v1', 'ConfigMap');
export const coreSecretType = resourceType<CoreSecret>('v1', 'Secret');
export const coreEventType = resourceType<CoreEvent>('v1', 'Event');
export const persistentVolumeClaimType = resourceType<PersistentVolumeClaim>('v1', 'PersistentVolumeClaim');
export const namespaceType = resourceType<Namespace>('v1', 'Namespace', false);
export const jobType = resourceType<Job>('batch/v1', 'Job');
export const leaseType = resourceType<Lease>('coordination.k8s.io/v1', 'Lease');
export const endpointSliceType = resourceType<EndpointSlice>('discovery.k8s.io/v1', 'EndpointSlice');
