import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldManagers } from '../../core/api/names.ts';
import { coreSecretType } from '../../core/kube/types.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { WorkspaceDeps } from './deps.ts';

const maxNamespaces = 10_000;

type Deps = Pick<WorkspaceDeps, 'kube' | 'installation' | 'pullSecretsFolder' | 'log'>;

/**
 * Copies the installation's pull secrets into a namespace, whose pods can use no others. The operator may not read Secrets
 * there, so it remembers what it wrote.
 */
export function createPullSecrets({ kube, installation, pullSecretsFolder, log }: Deps) {
  const written = createBoundedMap<string, string>(maxNamespaces);

  async function copy(name: string, namespace: string): Promise<void> {
    const content = await readFile(join(pullSecretsFolder, `${name}.json`)).catch(() => undefined);
    if (!content) {
      log.warn('a pull secret is not in the namespace of the service: create it', { name });
      return;
    }
    const [key, hash] = [`${namespace}/${name}`, createHash('sha256').update(content).digest('hex')];
    if (written.get(key) === hash) return;
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': content.toString('base64') },
    };
    await kube.apply(coreSecretType, secret, { fieldManager: fieldManagers.operator });
    written.set(key, hash);
  }

  return async (namespace: string): Promise<void> => {
    for (const name of installation.workspaces.pullSecrets) await copy(name, namespace);
  };
}
