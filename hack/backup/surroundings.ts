import type { Kube, Stored } from '../../core/kube/kube.ts';
import {
  type ConfigMap,
  type CoreSecret,
  configMapType,
  coreSecretType,
  type Namespace,
  namespaceType,
} from '../../core/kube/types.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Renames } from './renames.ts';

/** Gives the new installation the keys of the former one. */
export async function restoreKeys(kube: Kube, keys: readonly CoreSecret[]): Promise<void> {
  for (const secret of keys) {
    const { data, metadata } = secret;
    if (await kube.get(coreSecretType, metadata)) await kube.patch(coreSecretType, metadata, { data });
    else await kube.create(coreSecretType, secret);
  }
}

/** The namespace of a workspace, marked with the new uid of its Workspace, without which the operator leaves it alone. */
export async function restoreNamespace(
  kube: Kube,
  { metadata }: Stored<Namespace>,
  renames: Renames,
): Promise<void> {
  const { name, labels, annotations } = renames.apply(metadata);
  const wanted = compact({ labels, annotations });
  if (await kube.get(namespaceType, { name }))
    await kube.patch(namespaceType, { name }, { metadata: wanted });
  else
    await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...wanted } });
}

/** A stored part of a snapshot. What an interrupted restore wrote is left as it is. */
export async function restorePart(kube: Kube, former: Stored<ConfigMap>, renames: Renames): Promise<void> {
  const { metadata, binaryData, data, immutable } = former;
  const { name, namespace, labels, ownerReferences } = renames.apply(metadata);
  if (await kube.get(configMapType, { namespace, name })) return;
  await kube.create(configMapType, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name, namespace, ...compact({ labels, ownerReferences }) },
    ...compact({ binaryData, data, immutable }),
  });
}
