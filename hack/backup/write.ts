import { labelledId } from '../../core/api/ids.ts';
import { annotations, apiGroup } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { UserError } from '../lib/run.ts';
import { type AnyObject, typeOf, uidsIn, withUids } from './objects.ts';

/** Objects that are written at the same time. */
const atATime = 8;

export type Writer = ReturnType<typeof createWriter>;

/** Writes the objects of a backup, linked to what it wrote before. */
export function createWriter(kube: Kube, backupId: string) {
  /** By former uid. */
  const writes = new Map<string, Promise<Stored<AnyObject>>>();

  async function linked<T extends object>(value: T): Promise<T> {
    const uids = new Map<string, string | undefined>();
    for (const uid of uidsIn(value)) uids.set(uid, (await writes.get(uid))?.metadata.uid);
    return withUids(value, (uid) => uids.get(uid) ?? uid);
  }

  async function put({ metadata, status: _, ...content }: AnyObject): Promise<Stored<AnyObject>> {
    const { name, namespace, labels, finalizers, ownerReferences } = metadata;
    const own = { ...metadata.annotations, [annotations.restoredFrom]: backupId };
    const kept = { name, annotations: own, ...compact({ namespace, labels, finalizers, ownerReferences }) };
    return write(kube, await linked({ ...content, metadata: kept }));
  }

  async function putStatus({ metadata, status }: Stored<AnyObject>): Promise<void> {
    const now = await writes.get(metadata.uid);
    if (!status || !now) return;
    const isCurrent = 'observedGeneration' in status && status.observedGeneration === metadata.generation;
    const observed = isCurrent ? { observedGeneration: now.metadata.generation } : {};
    await kube.replace(typeOf(now), { ...now, status: { ...(await linked(status)), ...observed } }, 'status');
  }

  return {
    /** Without their status. One that is there under the name becomes it. */
    putAll(formers: readonly AnyObject[]): Promise<void> {
      return inParallel(formers, atATime, (former) => {
        const writing = put(former);
        if (former.metadata.uid !== undefined) writes.set(former.metadata.uid, writing);
        return writing;
      });
    },
    /** The status of objects that were written before. */
    putStatuses: (formers: readonly Stored<AnyObject>[]) => inParallel(formers, atATime, putStatus),
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

const markOf = ({ metadata }: AnyObject) => metadata.annotations?.[annotations.restoredFrom];
