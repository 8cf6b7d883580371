import { randomBytes } from 'node:crypto';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { version } from '../../core/version.ts';
import { UserError } from '../lib/run.ts';
import { type AnyObject, inOrder, isNetwork, placeOf, readAll } from './objects.ts';
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
  const { resourceVersion } = await kube.list(namespaceType, { limit: 1 });
  const found = await readAll(kube, namespace, { resourceVersion, resourceVersionMatch: 'Exact' });
  if (!found.some(({ data }) => data?.['master-keys'] !== undefined)) {
    throw new UserError(
      `No keys of Slipway are in the namespace ${namespace}: name the one that it is installed in with NS=...`,
    );
  }
  const objects = inOrder(found);
  for (const one of found.filter((each) => !objects.has(each))) {
    saving.say(`not in the backup, because it or its owner is being deleted: ${placeOf(one)}`);
  }
  return {
    id: randomBytes(8).toString('hex'),
    takenAt: toRfc3339(await kube.serverTimeMs()),
    version,
    namespace,
    objects: [...objects],
    volumes: await saveVolumes(saving, [...objects].filter(isNetwork)),
  };
}
