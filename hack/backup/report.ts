import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Backup } from './contents.ts';
import type { AnyObject } from './kinds.ts';
import { type Fate, fateOf } from './networks.ts';
import { livingOf } from './order.ts';
import type { Restored } from './restore.ts';

/** What was backed up, and what a restore will not bring back. */
export function backupLines(backup: Backup, file: string): string[] {
  const objects = livingOf(backup.objects);
  const isSaved = ({ metadata }: Stored<AnyObject>) =>
    backup.volumes.some(({ network }) => network === metadata.uid);
  const fate = (one: Stored<AnyObject>) => fateOf(one as unknown as NetworkResource, isSaved(one));
  return [
    `${objects.length} objects: ${countsOf(objects)}`,
    ...chainLines(objects, fate),
    `written to ${file}`,
    'It holds the master keys and every other key of the installation, encrypted with BACKUP_PASSPHRASE.',
    'Whoever has both can read every secret. Keep them apart, and off this cluster.',
  ];
}

/** What was restored, and what is different from before. */
export function restoreLines({ objects, left, fates }: Restored, idsFile: string): string[] {
  return [
    `${objects.length} objects: ${countsOf(objects)}`,
    ...chainLines(objects, ({ metadata }) => fates.get(metadata.uid)),
    ...left.map(
      (one) => `not restored, because it or its owner was being deleted: ${one.kind} ${placeOf(one)}`,
    ),
    `Ids and URLs of networks, tokens, secrets, recordings, snapshots and webhooks are new: ${idsFile} has former and new ids.`,
    'API keys are those of the backup. On the native node and kind, `make up` writes .slipway/env again.',
  ];
}

/** Former and new ids of what REST identifies by uid. */
export function restoredIds({ objects, renames }: Restored): object[] {
  const kinds = ['Network', 'Token', 'Secret', 'Recording', 'Snapshot', 'Webhook'];
  return objects
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, metadata: { namespace, name, uid } }) => ({
      ...{ kind, namespace, name: renames.apply(name) },
      ...{ formerId: uid, id: renames.apply(uid) },
    }));
}

function chainLines(
  objects: readonly Stored<AnyObject>[],
  fate: (network: Stored<AnyObject>) => Fate | undefined,
): string[] {
  const networks = objects.filter(({ kind }) => kind === 'Network');
  const namesWith = (wanted: Fate) => networks.filter((one) => fate(one) === wanted).map(placeOf);
  const kept = namesWith('kept');
  const lost = namesWith('new chain');
  return [
    ...(kept.length > 0 ? [`networks that run on from their volumes: ${kept.join(', ')}`] : []),
    ...(lost.length > 0 ? [`networks that come back with a new chain: ${lost.join(', ')}`] : []),
  ];
}

function countsOf(objects: readonly AnyObject[]): string {
  const groups = Map.groupBy(objects, ({ kind }) => kind);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, { length }]) => `${length} ${kind}`)
    .join(', ');
}

const placeOf = ({ metadata }: AnyObject) => `${metadata.namespace}/${metadata.name}`;
