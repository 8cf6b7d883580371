import { idOf, labelledId } from '../../core/api/ids.ts';
import { defaultKeyName } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { UserError } from '../lib/run.ts';
import type { Backup } from './contents.ts';
import { type AnyObject, readAll, slipwayTypes } from './kinds.ts';
import { restoredAnnotation } from './write.ts';

/** What an installation writes about its use: the first link to the console is an entry already. */
const recordKinds = ['AuditChunk', 'UsageRecord'];

export interface Target {
  kube: Kube;
  backup: Backup;
  /** Whether objects of the backup that another tool has restored become those of the backup. */
  takesOver?: boolean;
}

/**
 * The objects that a new installation made for itself and the backup does not have, such as its own first API key. Throws UserError
 * unless Slipway is installed and holds no more than those and what the restore may take over.
 */
export async function checkTarget({ kube, backup, takesOver }: Target): Promise<Stored<AnyObject>[]> {
  const known = new Map(backup.objects.map((one) => [keyOf(one), one]));
  const there = await existing(kube);
  const strange = there.find((one) => {
    const former = known.get(keyOf(one));
    return takesOver ? former && isAnother(one, former) : !mayBeThere(one, backup, former !== undefined);
  });
  if (strange) {
    const lines = [
      `This installation is in use: ${keyOf(strange)} is not of this backup.`,
      'A backup is restored into a new installation: install the chart into an empty cluster, or delete what is there.',
      'If another tool has restored the objects of the backup, TAKE_OVER=yes gives them the rest of it.',
    ];
    throw new UserError(lines.join('\n'));
  }
  const isOwn = ({ kind, metadata }: AnyObject) =>
    metadata.namespace === backup.namespace || recordKinds.includes(kind);
  return there.filter((one) => isOwn(one) && !known.has(keyOf(one)));
}

const keyOf = ({ kind, metadata }: AnyObject) => `${kind} ${metadata.namespace}/${metadata.name}`;

/** Whether an object only has the name of one in the backup. */
function isAnother({ metadata }: Stored<AnyObject>, former: Stored<AnyObject>): boolean {
  return (labelledId(metadata) ?? idOf(former)) !== idOf(former);
}

/** What this backup wrote before, and what every installation has from its start. */
function mayBeThere({ kind, metadata }: Stored<AnyObject>, backup: Backup, isKnown: boolean): boolean {
  if (metadata.annotations?.[restoredAnnotation] === backup.id || recordKinds.includes(kind)) return true;
  if (metadata.namespace !== backup.namespace) return kind === 'Secret' && metadata.name === defaultKeyName;
  return isKnown || !['User', 'Workspace'].includes(kind);
}

/** The objects of Slipway that are there, without their content. */
async function existing(kube: Kube): Promise<Stored<AnyObject>[]> {
  try {
    const lists = await Promise.all(
      slipwayTypes.map((type) => readAll(kube, type, { isMetadataOnly: true })),
    );
    return lists.flat();
  } catch (error) {
    if (!isAppError(error, 'NotFound')) throw error;
    throw new UserError('The cluster does not know the kinds of Slipway: install the chart first.');
  }
}
