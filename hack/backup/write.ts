import { labelledId } from '../../core/api/ids.ts';
import { apiGroup } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { UserError } from '../lib/run.ts';
import { type AnyObject, typeOf } from './kinds.ts';
import { uidsIn, withUids } from './links.ts';

/** On every object that a restore wrote: the id of the backup. */
export const restoredAnnotation = 'slipway.dev/restored-from';

/** Objects that are written at the same time. */
const atATime = 8;

export interface Writer {
  /** Writes objects without their status, linked to what was written before. One of the same name becomes it. */
  putAll(formers: readonly AnyObject[]): Promise<void>;
  /** Writes the status of objects that were written before; no status, no write. */
  putStatuses(formers: readonly Stored<AnyObject>[], statusOf: StatusOf): Promise<void>;
}

type StatusOf = (former: Stored<AnyObject>) => object | undefined;

export function createWriter(kube: Kube, backupId: string): Writer {
  /** By former uid. */
  const written = new Map<string, Stored<AnyObject>>();
  const linked = <T>(value: T): T => withUids(value, (uid) => written.get(uid)?.metadata.uid ?? uid);

  async function put({ metadata, status: _, ...content }: AnyObject): Promise<void> {
    const { name, namespace, labels, finalizers, ownerReferences } = metadata;
    const annotations = { ...metadata.annotations, [restoredAnnotation]: backupId };
    const kept = { name, annotations, ...compact({ namespace, labels, finalizers, ownerReferences }) };
    const now = await write(kube, linked({ ...content, metadata: kept }));
    if (metadata.uid !== undefined) written.set(metadata.uid, now);
  }

  async function putStatus(former: Stored<AnyObject>, status: object | undefined): Promise<void> {
    const now = written.get(former.metadata.uid);
    if (!status || !now) return;
    const { observedGeneration } = former.status ?? {};
    const isCurrent = observedGeneration !== undefined && observedGeneration === former.metadata.generation;
    const observed = isCurrent ? { observedGeneration: now.metadata.generation } : {};
    await kube.replace(typeOf(now), { ...now, status: { ...linked(status), ...observed } }, 'status');
  }

  return {
    putAll: (formers) => inParallel(formers, atATime, put),
    putStatuses: (formers, statusOf) => inParallel(formers, atATime, (one) => putStatus(one, statusOf(one))),
  };
}

/** What has the name already comes from a new installation, an interrupted restore or another tool. */
async function write(kube: Kube, object: AnyObject): Promise<Stored<AnyObject>> {
  const type = typeOf(object);
  const { object: live, isNew } = await createOrFind(kube, type, object);
  if (isNew) return live;
  const { metadata } = object;
  if (type.kind === 'PersistentVolumeClaim' && markOf(live) !== markOf(object)) {
    const remedy = `kubectl -n ${metadata.namespace} delete pvc ${metadata.name}`;
    throw new UserError(`A volume is there already, with other data than that of the backup: ${remedy}`);
  }
  if (type.group !== apiGroup) return kube.patch(type, metadata, object);
  const { uid, resourceVersion } = live.metadata;
  if (isSame(live, object)) {
    return kube.replace(type, { ...object, metadata: { ...metadata, uid, resourceVersion } });
  }
  await kube.delete(type, metadata, { uid });
  return kube.create(type, object);
}

/** Whether one object can become the other: neither an id nor a spec that names a membership can be changed. */
function isSame(live: AnyObject, object: AnyObject): boolean {
  const isLinkedAlike = uidsIn([live.spec]).join() === uidsIn([object.spec]).join();
  return isLinkedAlike && labelledId(live.metadata) === labelledId(object.metadata);
}

const markOf = ({ metadata }: AnyObject) => metadata.annotations?.[restoredAnnotation];
