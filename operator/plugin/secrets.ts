import { fieldManagers } from '../../core/api/names.ts';
import type { PluginName } from '../../core/api/resources/plugins.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { secretDataOf } from '../../core/kube/objects.ts';
import { type CoreSecret, coreSecretType } from '../../core/kube/types.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { PlannedPlugin } from '../../core/plugins/extendPlan.ts';
import { metaOf, pluginKeysName, pluginLabel } from '../network/render/childNames.ts';
import { type PluginRef, pluginKey } from './deps.ts';

/** The Secret in the workspace with which users sign in at a plugin: `<network>-<plugin>-credentials`. */
export const credentialsName = (network: { metadata: { name: string } }, name: PluginName): string =>
  `${network.metadata.name}-${name}-credentials`;

const maxRemembered = 10_000;

/** The operator writes Secrets and never reads them: once per term of leadership, and whenever the content changes. */
export function createCredentials({ kube }: { kube: Pick<Kube, 'apply'> }) {
  const written = createBoundedMap<string, string>(maxRemembered);
  return {
    async ensure(ref: PluginRef, { credentials }: PlannedPlugin): Promise<void> {
      if (!credentials) return;
      const secret = renderCredentials(ref, credentials);
      const hash = hashOf(secret.data);
      const key = pluginKey(ref.network.metadata.uid, ref.name);
      if (written.get(key) === hash) return;
      await kube.apply(coreSecretType, secret, { fieldManager: fieldManagers.operator });
      written.set(key, hash);
    },
    forget: (ref: PluginRef) => void written.delete(pluginKey(ref.network.metadata.uid, ref.name)),
  };
}

function renderCredentials(
  { network, name }: PluginRef,
  texts: Readonly<Record<string, string>>,
): CoreSecret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...metaOf({ network }, 'credentials', pluginLabel(name)),
      name: credentialsName(network, name),
    },
    type: 'Opaque',
    data: secretDataOf(texts),
  };
}

/** Deletes the Secrets of a plugin. */
export async function deleteSecrets(kube: Pick<Kube, 'delete'>, { network, name }: PluginRef): Promise<void> {
  const { namespace } = network.metadata;
  for (const secret of [credentialsName(network, name), pluginKeysName(network, name)]) {
    await kube.delete(coreSecretType, { namespace, name: secret });
  }
}
