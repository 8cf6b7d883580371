import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { type CoreSecret, coreSecretType, namespaceType } from '../../core/kube/types.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { type AnyObject, inOrder, isNetwork, readAll } from './objects.ts';
import { installed } from './services.ts';
import { type SavedVolume, type Saving, saveVolumes } from './volumes.ts';

/** All that a backup holds. */
export interface Backup {
  /** Marks what a restore has written, so that an interrupted one continues. */
  id: string;
  takenAt: string;
  /** The version of Slipway that wrote it. */
  version: string;
  /** The namespace of the service. */
  namespace: string;
  /** What the installation's Deployments mount: its keys, the first API key, client secrets. */
  keys: CoreSecret[];
  /** In the order in which they can be created. */
  objects: Stored<AnyObject>[];
  volumes: SavedVolume[];
}

/**
 * Reads all that a backup holds. Objects are read as they were at one moment, and volumes after them: a chain may know more
 * than the objects, and never less. Throws UserError if `namespace` is not that of the service.
 */
export async function collect(namespace: string, saving: Saving): Promise<Backup> {
  const { kube } = saving;
  const keys = await readKeys(kube, namespace);
  const { resourceVersion } = await kube.list(namespaceType, { limit: 1 });
  const found = await readAll(kube, { resourceVersion, resourceVersionMatch: 'Exact' });
  const objects = inOrder(found);
  for (const { kind, metadata } of found.filter((one) => !objects.has(one))) {
    const reason = 'not in the backup, because it or its owner is being deleted';
    saving.say(`${reason}: ${kind} ${metadata.namespace}/${metadata.name}`);
  }
  return {
    id: randomBytes(8).toString('hex'),
    takenAt: toRfc3339(await kube.serverTimeMs()),
    version: String(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version),
    namespace,
    keys,
    objects: [...objects],
    volumes: await saveVolumes(
      saving,
      found.filter(isNetwork).filter((one) => objects.has(one)),
    ),
  };
}

/** The Secrets that the Deployments of the chart mount, but for certificates, which a new installation makes itself. */
async function readKeys(kube: Kube, namespace: string): Promise<CoreSecret[]> {
  const volumes = (await installed(kube, namespace)).flatMap(({ spec }) => spec.template.spec?.volumes ?? []);
  const names = volumes.flatMap(({ secret, projected }) => [
    secret?.secretName,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ]);
  const found: CoreSecret[] = [];
  for (const name of new Set(names)) {
    const secret = name && (await kube.get(coreSecretType, { namespace, name }));
    if (!secret || secret.data?.['tls.key'] !== undefined) continue;
    const { apiVersion, kind, type, data } = secret;
    found.push({ apiVersion, kind, metadata: { name, namespace }, ...compact({ type, data }) });
  }
  if (found.some(({ data }) => data?.['master-keys'] !== undefined)) return found;
  throw new UserError(
    `No keys of Slipway are in the namespace ${namespace}: name the one that it is installed in with NS=...`,
  );
}
