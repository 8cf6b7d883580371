import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { EnginePart } from '../../../core/chains/driver.ts';
import { secretDataOf } from '../../../core/kube/objects.ts';
import type { ConfigMap, CoreSecret, PersistentVolumeClaim } from '../../../core/kube/types.ts';
import {
  engineMeta,
  fileKeyOf,
  forkSourceName,
  forkUrlKey,
  hasVolume,
  metaOf,
  pluginLabel,
  type RenderInput,
  secretsName,
  secretsOf,
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

/** One Secret for the chain, and one for each plugin, which goes with the plugin. */
function renderSecrets(input: RenderInput): CoreSecret[] {
  const owners = new Set(input.plan.parts.map(({ plugin }) => plugin));
  return [...owners].flatMap((plugin): CoreSecret[] => {
    const secrets = secretsOf(input.plan, plugin);
    if (Object.keys(secrets).length === 0) return [];
    const common = { apiVersion: 'v1', kind: 'Secret' } as const;
    const metadata = { ...metaOf(input, 'keys', pluginLabel(plugin)), name: secretsName(input, plugin) };
    if (plugin === undefined) return [{ ...common, metadata, immutable: true, stringData: secrets }];
    // Its name stays the same, so its content may change. An apply does not remove members of stringData.
    return [{ ...common, metadata, data: secretDataOf(secrets) }];
  });
}
