import { originOf } from '../../core/api/ids.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { UserError } from '../lib/run.ts';
import { backupFormat } from './contents.ts';
import { identified } from './ids.ts';
import { type AnyObject, isNetwork, typeOf } from './kinds.ts';
import { wavesOf } from './links.ts';
import { type Fates, fatesOf, restoredStatus } from './networks.ts';
import { installed, isWriter, scale } from './services.ts';
import { checkTarget, type Target } from './target.ts';
import { restorableVolumes, volumeObjects } from './volumes.ts';
import { createWriter, type Writer } from './write.ts';

interface RestoreOptions extends Target {
  /** Reports progress. */
  say(line: string): void;
}

/** What a restore did. */
export interface Restored {
  objects: Stored<AnyObject>[];
  /** What was not restored, because it or its owner was being deleted. */
  left: Stored<AnyObject>[];
  fates: Fates;
}

const unfinished = [
  'The restore did not finish. Unless it has just started them, the API server and the operator stay stopped: they would change what is half restored.',
  'What to do: mend what the error names, and run the same command again. It goes on with what is there already.',
];

/**
 * Writes a backup into an installation that holds nothing yet, or over what `takesOver` allows. What an interrupted restore has
 * written is found again, so it can be repeated.
 */
export async function restore({ say, ...target }: RestoreOptions): Promise<Restored> {
  const { kube, backup } = target;
  if (backup.format !== backupFormat) {
    const remedy = `restore it with the release that wrote it, ${backup.version}`;
    throw new UserError(`The backup has format ${backup.format}, not ${backupFormat}: ${remedy}.`);
  }
  const others = await checkTarget(target);
  const services = await installed(kube, backup.namespace);
  try {
    say('stopping the services');
    await scale(kube, services, false);
    const writer = createWriter(kube, backup.id);
    await writer.putAll(backup.keys);
    say('starting what seals secrets and checks objects, with the keys of the backup');
    await scale(
      kube,
      services.filter((one) => !isWriter(one)),
      true,
    );
    say('restoring objects');
    for (const one of others) await kube.delete(typeOf(one), one.metadata);
    const restored = await writeAll(target, writer);
    say('starting the API server and the operator');
    await scale(kube, services.filter(isWriter), true);
    return restored;
  } catch (error) {
    say(unfinished.join('\n'));
    throw error;
  }
}

/** Owners before what they own, accounts before the namespaces of workspaces, and each status last. */
async function writeAll({ kube, backup }: Target, { putAll, putStatuses }: Writer): Promise<Restored> {
  const stored = backup.objects.map((object) => identified(object, backup));
  const { waves, left } = wavesOf([...stored, ...backup.snapshotParts]);
  const isAccount = ({ metadata }: AnyObject) => metadata.namespace === backup.namespace;
  for (const wave of waves) await putAll(wave.filter(isAccount));
  await putAll(backup.namespaces);
  for (const wave of waves) await putAll(wave.filter((one) => !isAccount(one)));
  const objects = waves.flat();
  const volumes = await restorableVolumes(kube, backup.volumes);
  const fates = fatesOf(objects, volumes);
  await putAll(volumes.filter(({ network }) => fates.get(network) === 'kept').flatMap(volumeObjects));
  await putStatuses(objects, (one) =>
    isNetwork(one) && one.status ? restoredStatus(one, fates, backup.takenAt) : withOrigin(one),
  );
  return { objects, left, fates };
}

/** What was deployed for a token is noted under its origin. */
function withOrigin(object: Stored<AnyObject>): object | undefined {
  return object.kind === 'Token' && object.status
    ? { ...object.status, origin: originOf(object) }
    : object.status;
}
