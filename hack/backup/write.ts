import { annotations, apiVersion } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { type AnyObject, keyOf, typeOf, uidsIn, withUids } from './objects.ts';

/** The backup that an object was restored from; undefined for any other. */
export const markOf = ({ metadata }: AnyObject) => metadata.annotations?.[annotations.restoredFrom];

/** Objects that are written at the same time. */
const atATime = 8;

/** Writes the objects of a backup, in the order of `inOrder`, linked to what it wrote before; then the status of each. */
export async function writeAll(kube: Kube, backupId: string, formers: readonly AnyObject[]): Promise<void> {
  /** By the keys of the former objects. */
  const writes = new Map<string, Promise<Stored<AnyObject>>>();

  async function linked<T extends object>(value: T): Promise<T> {
    const uids = new Map<string, string | undefined>();
    for (const uid of uidsIn(value)) uids.set(uid, (await writes.get(uid))?.metadata.uid);
    return withUids(value, (uid) => uids.get(uid) ?? uid);
  }

  async function put({ metadata, status: _, ...content }: AnyObject): Promise<Stored<AnyObject>> {
    const { name, namespace, labels, finalizers, ownerReferences, managedFields } = metadata;
    const own = { ...metadata.annotations, [annotations.restoredFrom]: backupId };
    const kept = { name, annotations: own, ...compact({ namespace, labels, finalizers, ownerReferences }) };
    await writes.get(namespace ?? '');
    const written = await write(kube, await linked({ ...content, metadata: kept }));
    if (written.apiVersion === apiVersion) return written;
    // So that Helm goes on with what is its own, and with nothing else.
    return kube.patch(typeOf(written), kept, { metadata: { managedFields } });
  }

  async function putStatus(former: AnyObject): Promise<void> {
    const { metadata, status } = former;
    const now = await writes.get(keyOf(former));
    if (!status || now?.apiVersion !== apiVersion) return;
    const isCurrent = 'observedGeneration' in status && status.observedGeneration === metadata.generation;
    const observed = isCurrent ? { observedGeneration: now.metadata.generation } : {};
    await kube.replace(typeOf(now), { ...now, status: { ...(await linked(status)), ...observed } }, 'status');
  }

  await inParallel(formers, atATime, (former) => {
    const writing = put(former);
    writes.set(keyOf(former), writing);
    return writing;
  });
  await inParallel(formers, atATime, putStatus);
}

/** What has the name already comes from an interrupted restore or another tool. */
async function write(kube: Kube, object: AnyObject): Promise<Stored<AnyObject>> {
  const type = typeOf(object);
  const { metadata } = object;
  if (object.apiVersion !== apiVersion) return kube.apply(type, object, { fieldManager: 'slipway-restore' });
  const { object: live, isNew } = await createOrFind(kube, type, object);
  if (isNew) return live;
  const { uid, resourceVersion } = live.metadata;
  // A spec that names a membership cannot be changed.
  if (uidsIn([live.spec]).join() === uidsIn([object.spec]).join()) {
    return kube.replace(type, { ...object, metadata: { ...metadata, uid, resourceVersion } });
  }
  await kube.delete(type, metadata, { uid });
  return kube.create(type, object);
}
