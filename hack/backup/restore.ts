import { isDeepStrictEqual } from 'node:util';
import { idOf, labelledId } from '../../core/api/ids.ts';
import { apiVersion } from '../../core/api/names.ts';
import { resourceType, type Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { messageOf } from '../../core/lib/errors.ts';
import { UserError } from '../lib/run.ts';
import { waitUntil } from '../lib/wait.ts';
import type { Backup } from './collect.ts';
import { type Fates, fatesOf, restoredOf } from './networks.ts';
import { type AnyObject, definitionType, isServed, readAll, typeOf } from './objects.ts';
import { snapshotClasses } from './volumes.ts';
import { markOf, writeAll } from './write.ts';

/** What shows that Slipway is installed. */
const runningTypes = [resourceType('apps/v1', 'Deployment'), resourceType('v1', 'Pod')];

interface Target {
  kube: Kube;
  backup: Backup;
  /** Whether objects that are there become those of the backup. */
  takesOver?: boolean;
}

const unfinished =
  'The restore did not finish. Do not install the chart yet: mend what the error names, and run the same command again.';

/**
 * Writes a backup into a cluster before the chart is installed there: nothing runs that could change what is half restored. What an
 * interrupted restore has written is found again, so it can be repeated. Throws UserError when Slipway is installed, or when objects
 * are there that `takesOver` does not allow.
 */
export async function restore(target: Target): Promise<Fates> {
  const { kube, backup } = target;
  await checkIsAbsent(target);
  const surplus = await checkObjects(target);
  const fates = fatesOf(backup, await snapshotClasses(kube));
  const kept = backup.volumes.filter(({ network }) => fates.get(network) === 'kept');
  const volumes = kept.flatMap((volume) => volume.objects);
  await checkData(target, [...backup.objects, ...volumes]);
  const objects = backup.objects.map((one) => restoredOf(one, fates, backup.takenAt));
  const { definitions = [], others = [] } = Object.groupBy([...objects, ...volumes], ({ kind }) =>
    kind === definitionType.kind ? 'definitions' : 'others',
  );
  try {
    for (const one of surplus) await kube.delete(typeOf(one), one.metadata);
    await writeAll(kube, backup.id, definitions);
    await untilServed(kube, others);
    await writeAll(kube, backup.id, others);
  } catch (cause) {
    throw new UserError(`${messageOf(cause)}\n${unfinished}`, { cause });
  }
  return fates;
}

async function checkIsAbsent({ kube, backup: { namespace } }: Target): Promise<void> {
  for (const type of runningTypes) {
    const { items } = await kube.list(type, {
      namespace,
      labelSelector: 'app.kubernetes.io/part-of=slipway',
    });
    if (items.length === 0) continue;
    throw new UserError(
      `Slipway is installed in the namespace ${namespace}, and would change what is half restored. ` +
        'A backup is restored before that: uninstall it first (docs/operations.md#restore).',
    );
  }
}

/** What an installation writes about its use, also in workspaces. */
const recordKinds = ['AuditChunk', 'UsageRecord'];

/** Returns accounts and records that are there and that the backup does not have. */
async function checkObjects({ kube, backup, takesOver }: Target): Promise<Stored<AnyObject>[]> {
  const formers = new Map(backup.objects.map((one) => [placeOf(one), one]));
  const all = await readAll(kube, backup.namespace, { isMetadataOnly: true });
  const there = all.filter((one) => one.apiVersion === apiVersion);
  const stranger = there.find((one) => {
    const former = formers.get(placeOf(one));
    if (!takesOver) return markOf(one) !== backup.id;
    return former && (labelledId(one.metadata) ?? idOf(former)) !== idOf(former);
  });
  if (stranger) {
    const lines = [
      `This cluster is in use: ${placeOf(stranger)} is not of this backup.`,
      'A backup is restored into an empty cluster: use another one, or delete what is there.',
      'If another tool has restored the objects of the backup, TAKE_OVER=yes gives them the rest of it.',
    ];
    throw new UserError(lines.join('\n'));
  }
  const isOwn = ({ kind, metadata }: AnyObject) =>
    metadata.namespace === backup.namespace || recordKinds.includes(kind);
  return there.filter((one) => isOwn(one) && !formers.has(placeOf(one)));
}

const placeOf = ({ kind, metadata }: AnyObject) => `${kind} ${metadata.namespace}/${metadata.name}`;

/** What a restore must not overwrite: the data of a chain, and keys without which nothing that they sealed can be opened. */
const keepers = ['PersistentVolumeClaim', 'Secret'].map((kind) => resourceType<AnyObject>('v1', kind));

async function checkData({ kube, backup }: Target, formers: readonly AnyObject[]): Promise<void> {
  for (const { apiVersion: version, kind, metadata, data } of formers) {
    const type = keepers.find((one) => one.version === version && one.kind === kind);
    const live = type && (await kube.get(type, metadata));
    const isSame = data !== undefined && isDeepStrictEqual(live?.data, data);
    if (!live || isSame || markOf(live) === backup.id) continue;
    const remedy = `kubectl -n ${metadata.namespace} delete ${type.plural} ${metadata.name}`;
    throw new UserError(
      `${placeOf(live)} is there already, with other data than that of the backup: ${remedy}`,
    );
  }
}

/** kube-apiserver refuses kinds for a moment after it was given their definitions. */
async function untilServed(kube: Kube, objects: readonly AnyObject[]): Promise<void> {
  for (const type of new Map(objects.map((one) => [one.apiVersion + one.kind, typeOf(one)])).values()) {
    await waitUntil(() => isServed(kube, type), 60_000, `The cluster does not know the kind ${type.kind}.`);
  }
}
