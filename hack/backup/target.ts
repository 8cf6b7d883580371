import { defaultKeyName } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube, ResourceType } from '../../core/kube/kube.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { UserError } from '../lib/run.ts';
import type { Backup } from './contents.ts';
import { type AnyObject, slipwayTypes } from './kinds.ts';
import { readAll } from './read.ts';

/** On every object that a restore wrote: the id of the backup. */
export const restoredAnnotation = 'slipway.dev/restored-from';

/** What an installation writes about its use: the first link to the console is an entry already. */
const recordKinds = ['AuditChunk', 'UsageRecord'];

/** Throws UserError unless Slipway is installed and holds no more than a new installation. */
export async function checkTarget(kube: Kube, backup: Backup): Promise<void> {
  for (const type of slipwayTypes) {
    const strange = (await existing(kube, type)).find((object) => !mayBeThere(object, backup));
    if (!strange) continue;
    const { namespace, name } = strange.metadata;
    throw new UserError(
      [
        `This installation is in use: ${type.kind} ${namespace}/${name} is not of this backup.`,
        'A backup is restored into a new installation: install the chart into an empty cluster, or delete what is there.',
      ].join('\n'),
    );
  }
}

/** Deletes what a new installation made for itself and the backup does not have, such as its own first API key. */
export async function removeOthers(kube: Kube, backup: Backup): Promise<void> {
  const known = new Set(backup.objects.map(keyOf));
  for (const type of slipwayTypes) {
    const own = (await existing(kube, type)).filter(
      ({ kind, metadata }) => metadata.namespace === backup.namespace || recordKinds.includes(kind),
    );
    for (const object of own) if (!known.has(keyOf(object))) await kube.delete(type, object.metadata);
  }
}

const keyOf = ({ kind, metadata }: AnyObject) => `${kind}/${metadata.namespace}/${metadata.name}`;

/** What this backup wrote before, and what every installation has from its start. */
function mayBeThere({ kind, metadata }: Stored<AnyObject>, { id, namespace, objects }: Backup): boolean {
  if (metadata.annotations?.[restoredAnnotation] === id || recordKinds.includes(kind)) return true;
  if (metadata.namespace !== namespace) return kind === 'Secret' && metadata.name === defaultKeyName;
  const isAccount = kind === 'User' || kind === 'Workspace';
  return !isAccount || objects.some((one) => one.kind === kind && one.metadata.name === metadata.name);
}

async function existing(kube: Kube, type: ResourceType<AnyObject>): Promise<Stored<AnyObject>[]> {
  try {
    return await readAll(kube, type, { isMetadataOnly: true });
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
    throw new UserError(`The cluster does not know ${type.plural}.${type.group}: install the chart first.`);
  }
}
