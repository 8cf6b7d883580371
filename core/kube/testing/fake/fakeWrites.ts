import { randomUUID } from 'node:crypto';
import { type Clock, toRfc3339 } from '../../../lib/clock.ts';
import { compact } from '../../../lib/compact.ts';
import { AppError } from '../../../lib/errors.ts';
import { stableJson } from '../../../lib/hash.ts';
import { apiVersionOf } from '../../apply/childTypes.ts';
import type { DeleteOptions, Kube, KubeObject, ObjectRef, ResourceType, Stored } from '../../kube.ts';
import { namespaceType } from '../../types.ts';
import { applyFields, mergePatch, ownChanges } from './fakeApply.ts';
import { type FakeFaults, requestOf } from './fakeFaults.ts';
import {
  checkName,
  checkPreconditions,
  checkReplace,
  hasStatus,
  notFound,
  prepareNew,
  prepareNext,
  type Subresource,
} from './fakeRules.ts';
import type { FakeStorage, FieldOwners, StoredObject } from './fakeStorage.ts';

export interface FakeContext {
  storage: FakeStorage;
  clock: Clock;
  options: FakeWriteOptions;
}

export interface FakeWriteOptions {
  /** Objects whose last owner is gone are deleted, as a cluster's garbage collector does. */
  isCollectingGarbage?: boolean;
  /** Writes into a namespace that does not exist fail, as in a cluster. */
  requiresNamespaces?: boolean;
}

const updateManager = 'update';

/** The writes of a fake, by the rules of fakeRules.ts. */
export function createFakeWrites(
  context: FakeContext,
  faults: FakeFaults,
): Pick<Kube, 'create' | 'replace' | 'apply' | 'patch' | 'delete'> {
  return {
    create: (type, object) =>
      faults.run(requestOf('create', type, object.metadata), () =>
        create(context, type, { object: clone(object) }),
      ),
    replace: (type, object, subresource) =>
      faults.run({ ...requestOf('replace', type, object.metadata), ...compact({ subresource }) }, () => {
        if (!subresource) checkReplace(type, object);
        return update(context, find(context, type, object.metadata), { sent: clone(object), subresource });
      }),
    patch: (type, ref, patch, subresource) =>
      faults.run({ ...requestOf('patch', type, ref), ...compact({ subresource }) }, () => {
        const stored = find(context, type, ref);
        // A resourceVersion in the patch is a precondition; the object's own always matches.
        const sent = mergePatch(clone(stored.object), clone(patch)) as KubeObject;
        return update(context, stored, { sent, subresource });
      }),
    apply: (type, object, { fieldManager, subresource }) =>
      faults.run({ ...requestOf('apply', type, object.metadata), ...compact({ subresource }) }, () =>
        apply(context, type, { applied: clone(object), manager: fieldManager, subresource }),
      ),
    delete: (type, ref, options = {}) =>
      faults.run(requestOf('delete', type, ref), () => remove(context, type, { ref, options })),
  } as Pick<Kube, 'create' | 'replace' | 'apply' | 'patch' | 'delete'>;
}

interface Update {
  sent: KubeObject;
  subresource: Subresource | undefined;
  /** Set by an apply, which tracks field owners itself. */
  owners?: FieldOwners;
}

interface Creation {
  object: KubeObject;
  /** Set by an apply, which tracks field owners itself. */
  owners?: FieldOwners;
}

function create(context: FakeContext, type: ResourceType, { object, owners }: Creation): Stored<KubeObject> {
  const { storage, clock, options } = context;
  checkName(object);
  const { namespace, name } = object.metadata;
  const hasNoNamespace = type.isNamespaced && !storage.get(namespaceType, { name: namespace ?? '' });
  if (options.requiresNamespaces && hasNoNamespace && namespace !== 'default') {
    throw notFound(namespaceType, namespace ?? '');
  }
  if (storage.get(type, object.metadata)) {
    throw new AppError('Conflict', `${type.plural} "${name}" already exists`);
  }
  if (object.metadata.resourceVersion) {
    throw new AppError('BadRequest', 'resourceVersion should not be set on objects to be created');
  }
  const whole = { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
  const created = prepareNew(type, whole, { uid: randomUUID(), now: toRfc3339(clock.nowMs()) });
  const stored: StoredObject = { type, object: created, owners: owners ?? new Map() };
  if (!owners) ownChanges({}, { ...created }, { owners: stored.owners, manager: updateManager });
  return clone(storage.put(stored));
}

function update(
  context: FakeContext,
  stored: StoredObject,
  { sent, subresource, owners }: Update,
): Stored<KubeObject> {
  const { storage } = context;
  const { type, object: current } = stored;
  checkPreconditions(current, sent.metadata);
  const next = prepareNext(stored, sent, subresource);
  const nextOwners = owners ?? new Map(stored.owners);
  if (!owners) ownChanges({ ...current }, { ...next }, { owners: nextOwners, manager: updateManager });
  if (stableJson(next) === stableJson(current)) {
    stored.owners = nextOwners;
    return clone(current);
  }
  const changed = { type, object: next, owners: nextOwners };
  const isFinal = next.metadata.deletionTimestamp && !next.metadata.finalizers?.length && !isRunningPod(next);
  return isFinal ? finish(context, { ...stored, object: next }) : clone(storage.put(changed));
}

interface Apply {
  applied: KubeObject;
  manager: string;
  subresource: 'status' | undefined;
}

function apply(
  context: FakeContext,
  type: ResourceType,
  { applied, manager, subresource }: Apply,
): Stored<KubeObject> {
  const stored = context.storage.get(type, applied.metadata);
  if (!stored && subresource) throw notFound(type, applied.metadata.name);
  if (!stored && applied.metadata.uid)
    throw new AppError('Conflict', 'uid mismatch: no existing object was found');
  const owners: FieldOwners = new Map(
    [...(stored?.owners ?? [])].map(([path, names]) => [path, new Set(names)]),
  );
  const { status, ...content } = applied as KubeObject & { status?: unknown };
  const isStatusKept = subresource !== undefined || !hasStatus(type);
  const relevant = subresource ? { status } : { ...content, ...(isStatusKept ? { status } : {}) };
  const by = { owners, manager: subresource ? `${manager}/${subresource}` : manager };
  if (!stored) {
    const fields = applyFields({}, relevant, by);
    const { apiVersion, kind, metadata } = applied;
    const object = { ...fields, apiVersion, kind, metadata } as KubeObject;
    return create(context, type, { object, owners });
  }
  checkPreconditions(stored.object, applied.metadata);
  const sent = applyFields({ ...stored.object }, relevant, by) as unknown as KubeObject;
  return update(context, stored, { sent, subresource, owners });
}

function remove(
  context: FakeContext,
  type: ResourceType,
  target: { ref: ObjectRef; options: DeleteOptions },
): boolean {
  const stored = context.storage.get(type, target.ref);
  if (!stored) return false;
  const { uid, resourceVersion, gracePeriodSeconds } = target.options;
  checkPreconditions(stored.object, {
    ...compact({ uid, resourceVersion }),
  });
  const { metadata } = stored.object;
  const isKept =
    Boolean(metadata.finalizers?.length) || (gracePeriodSeconds !== 0 && isRunningPod(stored.object));
  if (!isKept) {
    finish(context, stored);
    return true;
  }
  if (metadata.deletionTimestamp) return true;
  const deletionTimestamp = toRfc3339(context.clock.nowMs());
  const generation = metadata.generation === undefined ? {} : { generation: metadata.generation + 1 };
  const object = { ...stored.object, metadata: { ...metadata, deletionTimestamp, ...generation } };
  context.storage.put({ ...stored, object });
  return true;
}

/** A pod on a node stays until its kubelet deletes it with a grace period of 0. */
function isRunningPod(object: KubeObject): boolean {
  const { spec } = object as KubeObject & { spec?: { nodeName?: string } };
  return object.kind === 'Pod' && Boolean(spec?.nodeName);
}

/** Removes an object, and the objects it was the only owner of when the fake collects garbage. */
function finish(context: FakeContext, stored: StoredObject): Stored<KubeObject> {
  const removed = context.storage.remove(stored);
  if (!context.options.isCollectingGarbage) return clone(removed);
  const isOrphan = ({ object }: StoredObject) => {
    const owners = object.metadata.ownerReferences ?? [];
    const isChild = owners.some((owner) => owner.uid === removed.metadata.uid);
    return (
      isChild &&
      !owners.some((owner) => context.storage.all().some((other) => other.object.metadata.uid === owner.uid))
    );
  };
  for (const orphan of context.storage.all().filter(isOrphan)) {
    remove(context, orphan.type, { ref: orphan.object.metadata, options: {} });
  }
  return clone(removed);
}

function find(context: FakeContext, type: ResourceType, ref: ObjectRef): StoredObject {
  const stored = context.storage.get(type, ref);
  if (!stored) throw notFound(type, ref.name);
  return stored;
}

/** As over the wire: nothing is shared, and undefined members are absent. */
export function clone<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
