import { randomBytes } from 'node:crypto';
import { labels } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { type CoreSecret, configMapType, coreSecretType, namespaceType } from '../../core/kube/types.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { UserError } from '../lib/run.ts';
import { type Backup, backupFormat } from './contents.ts';
import { type AnyObject, readAll, slipwayTypes } from './kinds.ts';
import { installed } from './services.ts';
import type { VolumeSaver } from './volumes.ts';

interface CollectOptions {
  kube: Kube;
  /** The namespace of the service. */
  namespace: string;
  version: string;
  saveVolumes: VolumeSaver['save'];
}

/**
 * Reads all that a backup holds. Custom resources are read as they were at one moment, and volumes after them: a chain may
 * know more than the objects, and never less.
 */
export async function collect({ kube, namespace, version, saveVolumes }: CollectOptions): Promise<Backup> {
  const keys = await readKeys(kube, namespace);
  const { resourceVersion } = await kube.list(namespaceType, { limit: 1 });
  const objects: Stored<AnyObject>[] = [];
  for (const type of slipwayTypes) {
    objects.push(...(await readAll(kube, type, { resourceVersion, resourceVersionMatch: 'Exact' })));
  }
  return {
    format: backupFormat,
    id: randomBytes(8).toString('hex'),
    takenAt: toRfc3339(await kube.serverTimeMs()),
    version,
    namespace,
    keys,
    objects,
    namespaces: await readAll(kube, namespaceType, { labelSelector: labels.workspace }),
    snapshotParts: await readAll(kube, configMapType, { labelSelector: labels.snapshot }),
    volumes: await saveVolumes(objects),
  };
}

/** The Secrets that the Deployments of the chart mount, but for certificates, which a new installation makes itself. */
async function readKeys(kube: Kube, namespace: string): Promise<CoreSecret[]> {
  const volumes = (await installed(kube, namespace)).flatMap(({ spec }) => spec.template.spec.volumes ?? []);
  const names = volumes.flatMap(({ secret, projected }) => [
    secret?.secretName,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ]);
  const found: CoreSecret[] = [];
  for (const name of new Set(names)) {
    const secret = name === undefined ? undefined : await kube.get(coreSecretType, { namespace, name });
    if (!name || !secret || secret.data?.['tls.key'] !== undefined) continue;
    const { type, data } = secret;
    const metadata = { name, namespace };
    found.push({ apiVersion: 'v1', kind: 'Secret', metadata, ...compact({ type, data }) });
  }
  if (found.some(({ data }) => data?.['master-keys'] !== undefined)) return found;
  throw new UserError(
    `No keys of Slipway are in the namespace ${namespace}: name the one that it is installed in with NS=...`,
  );
}
