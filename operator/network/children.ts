import { posix } from 'node:path';
import type { EngineName, Installation } from '../../core/api/installation.ts';
import type { KubeMeta, KubeObject } from '../../core/api/kubeObject.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/network.ts';
import { type EnginePart, type EnginePlan, forkUrlVariable } from '../../core/chains/driver.ts';
import type { ConfigMap, CoreSecret, PersistentVolumeClaim, Pod, Service } from '../../core/kube/types.ts';
import { hashOf, shortHashOf } from '../../core/lib/hash.ts';

/** A user and group that own nothing, as distroless images use it. */
const nobody = 65_532;
const forkUrlKey = 'url';

/** What restricted Pod Security asks of each container, and a root file system that is read-only. */
export const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export interface RenderInput {
  network: NetworkResource;
  plan: EnginePlan;
  installation: Installation;
  forkSource: string | undefined;
  /** Its data outlives its pods. */
  isPersistent: boolean;
}

/**
 * Identifies one life of a network's engine: the same for the same network, chain spec and last reset. It is
 * in the names of pods and files, so that a new life is made beside the old one and nothing that runs is changed.
 */
export function incarnationOf(network: NetworkResource): string {
  return shortHashOf([network.metadata.uid, network.spec.chain, network.status?.reset?.nonce ?? 0]);
}

/** The objects that run a network: for each part a pod and its files, one Service, and the fork source when it has one. */
export function renderChildren(input: RenderInput): KubeObject[] {
  const { plan, forkSource } = input;
  const files = plan.parts.filter((part) => Object.keys(part.files).length > 0);
  const volumes = plan.parts.filter((part) => hasVolume(input, part));
  return [
    ...volumes.map((part) => renderVolumeClaim(input, part)),
    ...files.map((part) => renderFiles(input, part)),
    ...(forkSource === undefined ? [] : [renderForkSource(input, forkSource)]),
    ...plan.parts.map((part) => renderPod(input, part)),
    renderService(input),
  ];
}

function metaOf(
  { network }: RenderInput,
  suffix: string,
  extraLabels: Record<string, string> = {},
): KubeMeta {
  const { name, namespace = '', uid = '' } = network.metadata;
  return {
    name: `${name.slice(0, 40).replace(/-+$/, '')}-${suffix}`,
    namespace,
    labels: {
      'app.kubernetes.io/managed-by': 'slipway',
      'app.kubernetes.io/part-of': 'slipway-network',
      [labels.network]: uid,
      ...extraLabels,
    },
    ownerReferences: [{ apiVersion, kind: 'Network', name, uid, controller: true, blockOwnerDeletion: true }],
  };
}

function engineMeta(input: RenderInput, part: EnginePart, suffix = ''): KubeMeta {
  const incarnation = incarnationOf(input.network);
  const extraLabels = { [labels.part]: part.name, [labels.incarnation]: incarnation };
  return metaOf(input, `${part.name}${suffix}-${incarnation}`, extraLabels);
}

function renderFiles(input: RenderInput, part: EnginePart): ConfigMap {
  const data = Object.fromEntries(Object.entries(part.files).map(([path, text]) => [fileKeyOf(path), text]));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: engineMeta(input, part, '-files'),
    immutable: true,
    data,
  };
}

function hasVolume(input: RenderInput, part: EnginePart): boolean {
  return input.isPersistent && part.dataPath !== undefined;
}

function renderVolumeClaim(input: RenderInput, part: EnginePart): PersistentVolumeClaim {
  const { className, size } = input.installation.storage;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: engineMeta(input, part, '-data'),
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      ...(className === '' ? {} : { storageClassName: className }),
    },
  };
}

/** A ConfigMap's key holds no slash. */
function fileKeyOf(path: string): string {
  return path.slice(1).replaceAll('/', '__');
}

function forkSourceName(input: RenderInput, forkSource: string): string {
  return metaOf(input, `fork-${hashOf([input.network.metadata.uid, forkSource]).slice(0, 10)}`).name;
}

function renderForkSource(input: RenderInput, forkSource: string): CoreSecret {
  const metadata = { ...metaOf(input, 'fork'), name: forkSourceName(input, forkSource) };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    immutable: true,
    stringData: { [forkUrlKey]: forkSource },
  };
}

function renderService(input: RenderInput): Service {
  const { network, plan } = input;
  const suffix = shortHashOf(network.metadata.uid);
  const ports = Object.entries(plan.services).map(([name, { port, part }]) => {
    const number = plan.parts.find((candidate) => candidate.name === part)?.ports[port] ?? 0;
    return { name, port: number, targetPort: number, protocol: 'TCP' };
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaOf(input, suffix),
    spec: {
      selector: {
        [labels.network]: network.metadata.uid ?? '',
        [labels.incarnation]: incarnationOf(network),
      },
      ports,
    },
  };
}

function renderPod(input: RenderInput, part: EnginePart): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: engineMeta(input, part),
    spec: {
      restartPolicy: 'Always',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // An engine writes its state down when it ends.
      terminationGracePeriodSeconds: 30,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: nobody,
        runAsGroup: nobody,
        fsGroup: nobody,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [renderContainer(input, part)],
      volumes: renderVolumes(input, part),
    },
  };
}

function renderVolumes(input: RenderInput, part: EnginePart): NonNullable<Pod['spec']['volumes']> {
  const claimName = engineMeta(input, part, '-data').name;
  const data = hasVolume(input, part) ? { persistentVolumeClaim: { claimName } } : { emptyDir: {} };
  return [
    { name: 'tmp', emptyDir: {} },
    { name: 'files', configMap: { name: engineMeta(input, part, '-files').name } },
    ...(part.dataPath === undefined ? [] : [{ name: 'data', ...data }]),
  ];
}

function renderContainer(input: RenderInput, part: EnginePart): Pod['spec']['containers'][number] {
  const { image, pullPolicy, resources } = engineOf(input.installation, part.engine);
  const fileMounts = Object.keys(part.files).map((path) => ({
    name: 'files',
    mountPath: posix.normalize(path),
    subPath: fileKeyOf(path),
    readOnly: true,
  }));
  return {
    name: part.name,
    image,
    imagePullPolicy: pullPolicy,
    args: part.args,
    env: [{ name: 'HOME', value: '/tmp' }, ...forkEnv(input)],
    ports: Object.entries(part.ports).map(([name, containerPort]) => ({
      name,
      containerPort,
      protocol: 'TCP',
    })),
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      ...fileMounts,
      ...(part.dataPath === undefined ? [] : [{ name: 'data', mountPath: part.dataPath }]),
    ],
    resources: { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} },
    securityContext: containerSecurity,
    readinessProbe: {
      tcpSocket: { port: part.readyPort },
      periodSeconds: 1,
      timeoutSeconds: 1,
      failureThreshold: 3,
    },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

function forkEnv(input: RenderInput) {
  if (input.forkSource === undefined) return [];
  const secretKeyRef = { name: forkSourceName(input, input.forkSource), key: forkUrlKey };
  return [{ name: forkUrlVariable, valueFrom: { secretKeyRef } }];
}

function engineOf(installation: Installation, engine: EngineName) {
  return installation.engines[engine];
}
