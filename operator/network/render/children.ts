import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { EnginePart } from '../../../core/chains/driver.ts';
import type { ConfigMap, CoreSecret, PersistentVolumeClaim } from '../../../core/kube/types.ts';
import {
  engineMeta,
  fileKeyOf,
  forkSourceName,
  forkUrlKey,
  hasVolume,
  metaOf,
  type RenderInput,
  secretsName,
} from './childNames.ts';
import { renderPod } from './pods.ts';
import { renderServices } from './services.ts';

/** The children of a network: its Services, and for each part a pod with its files, volumes and secrets. */
export function renderChildren(input: RenderInput): KubeObject[] {
  const { plan, forkSource } = input;
  const files = plan.parts.filter((part) => Object.keys(part.files).length > 0);
  const volumes = plan.parts.filter((part) => hasVolume(input, part));
  return [
    ...volumes.map((part) => renderVolumeClaim(input, part)),
    ...files.map((part) => renderFiles(input, part)),
    ...(forkSource === undefined ? [] : [renderForkSource(input, forkSource)]),
    ...renderSecrets(input),
    ...plan.parts.map((part) => renderPod(input, part)),
    ...renderServices(input),
  ];
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

function renderSecrets(input: RenderInput): CoreSecret[] {
  if (!input.plan.secrets) return [];
  const metadata = { ...metaOf(input, 'keys'), name: secretsName(input) };
  return [{ apiVersion: 'v1', kind: 'Secret', metadata, immutable: true, stringData: input.plan.secrets }];
}
