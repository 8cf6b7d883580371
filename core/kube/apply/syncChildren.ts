import { apiGroup } from '../../api/names.ts';
import { compact } from '../../lib/compact.ts';
import { isAppError } from '../../lib/errors.ts';
import { hashOf } from '../../lib/hash.ts';
import type { Kube, KubeObject, OwnerReference, ResourceType, Stored } from '../kube.ts';
import { keyOf } from '../objects.ts';
import { coreSecretType } from '../types.ts';
import { type ApplyFailure, invalidChild, nameTaken, quotaFailure } from './applyFailure.ts';
import { changesOf, childTypeOf, isImmutable, isPatched } from './childTypes.ts';
import { pruneChild } from './prune.ts';

type Writer = Pick<Kube, 'get' | 'create' | 'apply' | 'patch' | 'delete'>;

export interface ChildrenPlan {
  /** The desired objects. Namespace, labels and owner references are added. */
  desired: KubeObject[];
  /** The objects in the caches. Those that are not `isOurs` are never deleted. */
  observed: Stored<KubeObject>[];
  namespace: string;
  /** Labels that all children are given. */
  labels: Record<string, string>;
  /** Whether an object is the owner's, as `ownedBy` returns it. */
  isOurs(object: KubeObject): boolean;
  /** Whether to take over an object of somebody else that has the name of a desired one; otherwise it is refused. */
  isTakingOver?: boolean;
  ownerReferences?: OwnerReference[];
  fieldManager: string;
  /** Types of children beyond Pod, Service, ConfigMap, Secret, PersistentVolumeClaim, Job, EndpointSlice. */
  types?: ResourceType[];
}

/** Objects as the server answered, or as observed when they are deleted or pending. */
export interface ChildrenResult {
  created: Stored<KubeObject>[];
  updated: Stored<KubeObject>[];
  deleted: Stored<KubeObject>[];
  /** Still terminating: call again later. */
  pending: Stored<KubeObject>[];
  /** Why other children could not be created. Whoever needs all of them must look at it. */
  refused: ApplyFailure[];
}

type ChildResult = [Exclude<keyof ChildrenResult, 'refused'>, Stored<KubeObject>] | ApplyFailure | undefined;

/** The hash of the last applied object: an unchanged child needs no request. */
export const appliedHashAnnotation = `${apiGroup}/applied-hash`;

/**
 * Brings the children to the desired state: applies what differs and deletes what is not desired. A Pod, a Job or an
 * immutable ConfigMap cannot be changed: it is deleted, and a later call creates it again. All children are tried
 * before the first failure is thrown.
 */
export async function syncChildren(kube: Writer, plan: ChildrenPlan): Promise<ChildrenResult> {
  const desired = plan.desired.map((object) => complete(object, plan));
  const observed = new Map(plan.observed.map((object) => [identityOf(object), object]));
  const wanted = new Set(desired.map(identityOf));
  const extra = plan.observed.filter((object) => !wanted.has(identityOf(object)) && plan.isOurs(object));
  const outcomes = await Promise.allSettled([
    ...desired.map((object) =>
      applyChild(kube, { object, observed: observed.get(identityOf(object)), plan }),
    ),
    ...extra.map((object) => removeChild(kube, object, plan)),
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return collect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)));
}

interface ApplyInput {
  object: KubeObject;
  observed: Stored<KubeObject> | undefined;
  plan: ChildrenPlan;
}

async function applyChild(kube: Writer, { object, observed, plan }: ApplyInput): Promise<ChildResult> {
  if (observed?.metadata.deletionTimestamp) return ['pending', observed];
  if (observed && hashOn(observed) === hashOn(object)) return undefined;
  if (observed && isImmutable(observed)) {
    await pruneChild(kube, observed, plan);
    return ['pending', observed];
  }
  const applied = await write(kube, { object, observed, plan });
  if (isFailure(applied)) return applied;
  // The cache may not show yet that a former object of this name is terminating.
  if (applied.metadata.deletionTimestamp) return ['pending', applied];
  return [observed ? 'updated' : 'created', applied];
}

/** Creates or changes a child, unless it belongs to somebody else, does not fit in a quota, or is refused as invalid. */
async function write(
  kube: Writer,
  { object, observed, plan }: ApplyInput,
): Promise<Stored<KubeObject> | ApplyFailure> {
  try {
    if (isPatched(object) && observed) return await patchChild(kube, object, { observed, plan });
    if (isImmutable(object) || isPatched(object)) return await createChild(kube, object, plan);
    const foreign = observed ? undefined : await findForeign(kube, object, plan);
    return foreign ? nameTaken(foreign) : await apply(kube, object, plan);
  } catch (error) {
    const failure = quotaFailure(object, error) ?? (observed ? undefined : invalidChild(object, error));
    if (failure) return failure;
    throw error;
  }
}

/** The live object with a child's name, if it is not the owner's: the caches show only objects with our labels. */
async function findForeign(
  kube: Writer,
  object: KubeObject,
  plan: ChildrenPlan,
): Promise<Stored<KubeObject> | undefined> {
  if (plan.isTakingOver) return undefined;
  // The operator may not read Secrets; the names of its own contain hashes of their owner and content.
  if (object.kind === coreSecretType.kind) return undefined;
  const live = await kube.get(childTypeOf(object, plan.types), object.metadata);
  return live && !plan.isOurs(live) ? live : undefined;
}

function apply(
  kube: Pick<Kube, 'apply'>,
  object: KubeObject,
  plan: ChildrenPlan,
): Promise<Stored<KubeObject>> {
  return kube.apply(childTypeOf(object, plan.types), object, { fieldManager: plan.fieldManager });
}

/** With the uid, so that a namesake of somebody else stays as it is. */
function patchChild(
  kube: Pick<Kube, 'patch'>,
  object: KubeObject,
  { observed, plan }: Pick<ApplyInput, 'plan'> & { observed: Stored<KubeObject> },
): Promise<Stored<KubeObject>> {
  const metadata = { ...object.metadata, uid: observed.metadata.uid };
  return kube.patch(childTypeOf(object, plan.types), object.metadata, { ...changesOf(object), metadata });
}

/** Without a read before it: an existing object refuses the creation. An apply costs kube-apiserver 50 % more. */
async function createChild(
  kube: Writer,
  object: KubeObject,
  plan: ChildrenPlan,
): Promise<Stored<KubeObject> | ApplyFailure> {
  try {
    return await kube.create(childTypeOf(object, plan.types), object);
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
    // If it is ours, it already exists and the cache does not show it yet.
    const foreign = await findForeign(kube, object, plan);
    return foreign ? nameTaken(foreign) : apply(kube, object, plan);
  }
}

async function removeChild(
  kube: Pick<Kube, 'get' | 'delete'>,
  observed: Stored<KubeObject>,
  plan: ChildrenPlan,
): Promise<ChildResult> {
  if (observed.metadata.deletionTimestamp) return ['pending', observed];
  const outcome = await pruneChild(kube, observed, plan);
  return outcome === 'kept' ? undefined : [outcome, observed];
}

function complete(object: KubeObject, plan: ChildrenPlan): KubeObject {
  const { metadata } = object;
  const whole = {
    ...object,
    metadata: {
      ...metadata,
      namespace: metadata.namespace ?? plan.namespace,
      labels: { ...metadata.labels, ...plan.labels },
      ...compact({ ownerReferences: plan.ownerReferences }),
    },
  };
  const annotations = { ...metadata.annotations, [appliedHashAnnotation]: hashOf(whole) };
  return { ...whole, metadata: { ...whole.metadata, annotations } };
}

function hashOn(object: KubeObject): string | undefined {
  return object.metadata.annotations?.[appliedHashAnnotation];
}

function identityOf(object: KubeObject): string {
  return `${object.apiVersion}/${object.kind}/${keyOf(object.metadata)}`;
}

function isFailure(outcome: Stored<KubeObject> | NonNullable<ChildResult>): outcome is ApplyFailure {
  return 'reason' in outcome && 'message' in outcome;
}

function collect(outcomes: ChildResult[]): ChildrenResult {
  const result: ChildrenResult = { created: [], updated: [], deleted: [], pending: [], refused: [] };
  for (const outcome of outcomes) {
    if (outcome && isFailure(outcome)) result.refused.push(outcome);
    else if (outcome) result[outcome[0]].push(outcome[1]);
  }
  return result;
}
