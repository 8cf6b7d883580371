import { isDeepStrictEqual } from 'node:util';
import { idOf, labelledId } from '../../core/api/ids.ts';
import { apiGroup, apiVersion } from '../../core/api/names.ts';
import { resourceType, type Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { messageOf } from '../../core/lib/errors.ts';
import { UserError } from '../lib/run.ts';
import { waitUntil } from '../lib/wait.ts';
import type { Backup } from './collect.ts';
import { countOn } from './counts.ts';
import { type Fates, fatesOf, restoredOf } from './networks.ts';
import { type AnyObject, definitionType, isServed, placeOf, readAll, typeOf } from './objects.ts';
import { freeClaims, snapshotClasses } from './volumes.ts';
import { markOf, writeAll } from './write.ts';

/** What shows that Slipway is installed. */
const runningTypes = [resourceType('apps/v1', 'Deployment'), resourceType('v1', 'Pod')];

interface Target {
  kube: Kube;
  backup: Backup;
  /** Whether objects that are there become those of the backup. */
  takesOver?: boolean;
  /** Told before anything is written. */
  onFates?(fates: Fates): void;
}

const unfinished =
  'The restore did not finish. Do not install the chart yet: mend what the error names, and run the same command again.';

/**
 * Writes a backup into a cluster before the chart is installed there: nothing runs that could change what is half restored. What an
 * interrupted restore has written is found again, so it can be repeated. Throws UserError when Slipway is installed, or when objects
 * are there that `takesOver` does not allow.
 */
export async function restore(target: Target): Promise<void> {
  const { kube, backup } = target;
  await checkIsAbsent(target);
  const there = await readAll(kube, backup.namespace, { isMetadataOnly: true });
  const surplus = checkObjects(target, there);
  const claims = await freeClaims(kube, new Set(there.map(({ metadata }) => metadata.uid)));
  const fates = fatesOf(backup, { drivers: await snapshotClasses(kube), claims });
  const volumes = [...fates.values()].flatMap((fate) => fate.volumes);
  await checkData(target, [...backup.objects, ...volumes]);
  target.onFates?.(fates);
  const objects = await countOn(kube, backup.objects, there);
  const restored = objects.map((one) => restoredOf(one, fates, backup.takenAt));
  const { definitions = [], others = [] } = Object.groupBy([...restored, ...volumes], ({ kind }) =>
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
function checkObjects(
  { backup, takesOver }: Target,
  all: readonly Stored<AnyObject>[],
): readonly Stored<AnyObject>[] {
  const formers = new Map(backup.objects.map((one) => [placeOf(one), one]));
  const there = all.filter((one) => one.apiVersion === apiVersion);
  const stranger = takesOver ? undefined : there.find((one) => markOf(one) !== backup.id);
  if (stranger) {
    const lines = [
      `This cluster is in use: ${placeOf(stranger)} is not of this backup.`,
      'A backup is restored into an empty cluster: use another one, or delete what is there.',
      'If another tool has restored the objects of the backup, TAKE_OVER=yes gives them the rest of it.',
    ];
    throw new UserError(lines.join('\n'));
  }
  for (const one of there) checkId(one, formers.get(placeOf(one)));
  const isOwn = ({ kind, metadata }: AnyObject) =>
    metadata.namespace === backup.namespace || recordKinds.includes(kind);
  return there.filter((one) => isOwn(one) && !formers.has(placeOf(one)));
}

function checkId(live: Stored<AnyObject>, former: Stored<AnyObject> | undefined): void {
  const id = labelledId(live.metadata);
  if (!former || id === undefined || id === idOf(former)) return;
  const { plural } = typeOf(live);
  const { namespace, name } = live.metadata;
  const remedy = `kubectl -n ${namespace} delete ${plural}.${apiGroup} ${name}`;
  throw new UserError(
    `${placeOf(live)} has the id ${id}, and ${idOf(former)} in the backup, so it is another object. ` +
      `Nothing was changed. If it is not needed, delete it, and restore again: ${remedy}`,
  );
}

/** What a restore must not overwrite: the data of a chain, and keys without which nothing that they sealed can be opened. */
const keepers = ['PersistentVolumeClaim', 'Secret'].map((kind) => resourceType<AnyObject>('v1', kind));

async function checkData({ kube, backup }: Target, formers: readonly AnyObject[]): Promise<void> {
  for (const { apiVersion: version, kind, metadata, data, spec } of formers) {
    const type = keepers.find((one) => one.version === version && one.kind === kind && (data || spec));
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
