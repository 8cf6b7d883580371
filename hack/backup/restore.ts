import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { UserError } from '../lib/run.ts';
import { type Backup, backupFormat } from './contents.ts';
import type { AnyObject } from './kinds.ts';
import { type Fate, fateOf } from './networks.ts';
import { livingOf, wavesOf } from './order.ts';
import { createRenames, type Renames } from './renames.ts';
import { createServices } from './services.ts';
import { restoreKeys, restoreNamespace, restorePart } from './surroundings.ts';
import { checkTarget, removeOthers } from './target.ts';
import { canRestore, restoreVolume, type SavedVolume } from './volumes.ts';
import { createWriter } from './write.ts';

/** Objects that are written at the same time. */
const atATime = 8;

export interface RestoreOptions {
  kube: Kube;
  backup: Backup;
  /** Reports progress. */
  say(line: string): void;
}

/** What a restore did. */
export interface Restored {
  objects: Stored<AnyObject>[];
  /** What was not restored, because it or its owner was being deleted. */
  left: Stored<AnyObject>[];
  /** What became of the chain of each network, by its former uid. */
  fates: ReadonlyMap<string, Fate>;
  renames: Renames;
}

/**
 * Writes a backup into an installation that holds nothing yet. What an interrupted restore has written is found again, so
 * it can be repeated.
 */
export async function restore({ kube, backup, say }: RestoreOptions): Promise<Restored> {
  if (backup.format !== backupFormat) {
    throw new UserError(
      `The backup has format ${backup.format}; this release restores format ${backupFormat}.`,
    );
  }
  await checkTarget(kube, backup);
  try {
    return await replaceAll({ kube, backup, say });
  } catch (error) {
    say(unfinished);
    throw error;
  }
}

const unfinished = [
  'The restore did not finish. Until it does, the API server and the operator stay stopped: they would change what is half restored.',
  'What to do: mend what the error names, and run the same command again. It goes on with what is there already.',
].join('\n');

async function replaceAll({ kube, backup, say }: RestoreOptions): Promise<Restored> {
  const services = createServices(kube, backup.namespace);
  say('stopping the API server and the operator');
  await services.stop();
  say('restarting what seals secrets, with the keys of the backup');
  await restoreKeys(kube, backup.keys);
  await services.reloadKeys();
  await removeOthers(kube, backup);
  say('restoring objects');
  const restored = await restoreObjects(kube, backup);
  say('starting the API server and the operator');
  await services.start();
  return restored;
}

async function restoreObjects(kube: Kube, backup: Backup): Promise<Restored> {
  const renames = createRenames();
  const objects = livingOf(backup.objects);
  const volumes = await restorable(kube, backup.volumes);
  const isSaved = ({ metadata }: Stored<AnyObject>) =>
    volumes.some(({ network }) => network === metadata.uid);
  const fates = new Map(
    objects
      .filter(({ kind }) => kind === 'Network')
      .map((one) => [one.metadata.uid, fateOf(one as unknown as NetworkResource, isSaved(one))]),
  );
  const writer = createWriter({ kube, backup, renames, fates });
  const create = async (group: readonly Stored<AnyObject>[]) => {
    for (const wave of wavesOf(group)) await inParallel(wave, atATime, writer.create);
  };
  const { accounts, data, answers } = groupsOf(objects, backup.namespace);
  await create(accounts);
  await inParallel(backup.namespaces, atATime, (namespace) => restoreNamespace(kube, namespace, renames));
  await create(data);
  await inParallel(backup.snapshotParts.filter(belongsTo(objects)), atATime, (part) =>
    restorePart(kube, part, renames),
  );
  const kept = volumes.filter(({ network }) => fates.get(network) === 'kept');
  await inParallel(kept, atATime, (volume) => restoreVolume(kube, volume, renames));
  await create(answers);
  await inParallel(objects, atATime, writer.writeStatus);
  const there = new Set(objects);
  return { objects, left: backup.objects.filter((one) => !there.has(one)), fates, renames };
}

/** Accounts tell which namespaces there are; stored answers name ids of everything inside their sealed text. */
function groupsOf(objects: readonly Stored<AnyObject>[], namespace: string) {
  const isAnswer = ({ kind }: AnyObject) => kind === 'IdempotencyRecord';
  const isAccount = (one: AnyObject) => one.metadata.namespace === namespace && !isAnswer(one);
  return {
    accounts: objects.filter(isAccount),
    data: objects.filter((one) => !isAccount(one) && !isAnswer(one)),
    answers: objects.filter(isAnswer),
  };
}

function belongsTo(objects: readonly Stored<AnyObject>[]) {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  return ({ metadata }: Stored<AnyObject>) =>
    (metadata.ownerReferences ?? []).some(({ uid }) => uids.has(uid));
}

/** A network runs on from all of its volumes or from none. */
async function restorable(kube: Kube, volumes: readonly SavedVolume[]): Promise<SavedVolume[]> {
  const isPossible = await canRestore(kube);
  const lost = new Set(volumes.filter((one) => !isPossible(one)).map(({ network }) => network));
  return volumes.filter(({ network }) => !lost.has(network));
}
