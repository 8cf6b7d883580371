import { idOf, labelledId, originOf } from '../../core/api/ids.ts';
import { annotations, apiGroup, defaultKeyName } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { UserError } from '../lib/run.ts';
import type { Backup } from './collect.ts';
import { type Fates, fatesOf, restoredStatus } from './networks.ts';
import { type AnyObject, isNetwork, readAll, typeOf } from './objects.ts';
import { installed, isWriter, scale } from './services.ts';
import { snapshotClasses } from './volumes.ts';
import { createWriter, type Writer } from './write.ts';

interface Target {
  kube: Kube;
  backup: Backup;
  /** Whether objects of the backup that another tool has restored become those of the backup. */
  takesOver?: boolean;
  /** Reports progress. */
  say(line: string): void;
}

const unfinished = [
  'The restore did not finish. Unless it has just started them, the API server and the operator stay stopped: they would change what is half restored.',
  'What to do: mend what the error names, and run the same command again. It goes on with what is there already.',
];

/**
 * Writes a backup into an installation that holds nothing yet, or over what `takesOver` allows. What an interrupted restore has
 * written is found again, so it can be repeated. Throws UserError when the installation is in use.
 */
export async function restore(target: Target): Promise<Fates> {
  const { kube, backup, say } = target;
  const own = await checkTarget(target);
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
    for (const one of own) await kube.delete(typeOf(one), one.metadata);
    const fates = await writeAll(target, writer);
    say('starting the API server and the operator');
    await scale(kube, services.filter(isWriter), true);
    return fates;
  } catch (error) {
    say(unfinished.join('\n'));
    throw error;
  }
}

/** Accounts and the namespaces of workspaces before what is in them, and each status last. */
async function writeAll({ kube, backup }: Target, writer: Writer): Promise<Fates> {
  const fates = fatesOf(backup, await snapshotClasses(kube));
  const objects = backup.objects.map((one) => withStatus(one, fates, backup.takenAt));
  const isInWorkspace = ({ metadata }: AnyObject) =>
    metadata.namespace !== undefined && metadata.namespace !== backup.namespace;
  await writer.putAll(objects.filter((one) => !isInWorkspace(one)));
  await writer.putAll(objects.filter(isInWorkspace));
  const kept = backup.volumes.filter(({ network }) => fates.get(network) === 'kept');
  await writer.putAll(kept.flatMap((volume) => volume.objects));
  await writer.putStatuses(objects);
  return fates;
}

function withStatus(object: Stored<AnyObject>, fates: Fates, takenAt: string): Stored<AnyObject> {
  if (!object.status) return object;
  const fate = fates.get(object.metadata.uid);
  if (isNetwork(object)) return { ...object, status: restoredStatus(object, fate, takenAt) };
  // What was deployed for a token is noted under its origin.
  return object.kind === 'Token'
    ? { ...object, status: { ...object.status, origin: originOf(object) } }
    : object;
}

/** What an installation writes about its use: the first link to the console is an entry already. */
const recordKinds = ['AuditChunk', 'UsageRecord'];

/** The objects that a new installation made for itself and the backup does not have, such as its own first API key. */
async function checkTarget({ kube, backup, takesOver }: Target): Promise<Stored<AnyObject>[]> {
  const formers = new Map(backup.objects.map((one) => [keyOf(one), one]));
  const all = await readAll(kube, { isMetadataOnly: true }).catch((error: unknown) => {
    if (!isAppError(error, 'NotFound')) throw error;
    throw new UserError('The cluster does not know the kinds of Slipway: install the chart first.');
  });
  const there = all.filter((one) => typeOf(one).group === apiGroup);
  const stranger = there.find((one) => {
    const former = formers.get(keyOf(one));
    if (!takesOver) return !mayBeThere(one, backup, former !== undefined);
    return former && (labelledId(one.metadata) ?? idOf(former)) !== idOf(former);
  });
  if (stranger) {
    const lines = [
      `This installation is in use: ${keyOf(stranger)} is not of this backup.`,
      'A backup is restored into a new installation: install the chart into an empty cluster, or delete what is there.',
      'If another tool has restored the objects of the backup, TAKE_OVER=yes gives them the rest of it.',
    ];
    throw new UserError(lines.join('\n'));
  }
  const isOwn = ({ kind, metadata }: AnyObject) =>
    metadata.namespace === backup.namespace || recordKinds.includes(kind);
  return there.filter((one) => isOwn(one) && !formers.has(keyOf(one)));
}

const keyOf = ({ kind, metadata }: AnyObject) => `${kind} ${metadata.namespace}/${metadata.name}`;

/** What this backup wrote before, and what every installation has from its start. */
function mayBeThere({ kind, metadata }: Stored<AnyObject>, backup: Backup, isKnown: boolean): boolean {
  if (metadata.annotations?.[annotations.restoredFrom] === backup.id || recordKinds.includes(kind))
    return true;
  if (metadata.namespace !== backup.namespace) return kind === 'Secret' && metadata.name === defaultKeyName;
  return isKnown || !['User', 'Workspace'].includes(kind);
}
