import { apiGroup } from '../../api/names.ts';
import { compact } from '../../lib/compact.ts';
import { AppError, isAppError } from '../../lib/errors.ts';
import { hashOf } from '../../lib/hash.ts';
import type { Kube, KubeObject, OwnerReference, ResourceType, Stored } from '../kube.ts';
import { keyOf } from '../objects.ts';
import { childTypeOf, isImmutable } from './childTypes.ts';
import { pruneChild } from './prune.ts';

export interface ChildrenPlan {
  /** The desired objects. Namespace, labels and owner references are added. */
  desired: KubeObject[];
  /** The objects in the caches: all that have `labels`. */
  observed: Stored<KubeObject>[];
  namespace: string;
  /** The labels of this owner's children and of no others; must not be empty. */
  labels: Record<string, string>;
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
}

type Outcome = [keyof ChildrenResult, Stored<KubeObject>] | undefined;

/** The hash of the last applied object: an unchanged child needs no request. */
export const appliedHashAnnotation = `${apiGroup}/applied-hash`;

/**
 * Brings the children to the desired state: applies what differs and deletes what is not desired. A Pod, a Job or an
 * immutable ConfigMap cannot be changed: it is deleted, and a later call creates it again. All children are tried
 * before the first failure is thrown.
 */
export async function syncChildren(
  kube: Pick<Kube, 'get' | 'create' | 'apply' | 'delete'>,
  plan: ChildrenPlan,
): Promise<ChildrenResult> {
  // Without labels every object would count as a child.
  if (Object.keys(plan.labels).length === 0) throw new AppError('Internal', 'children without labels');
  const desired = plan.desired.map((object) => complete(object, plan));
  const observed = new Map(plan.observed.map((object) => [identityOf(object), object]));
  const wanted = new Set(desired.map(identityOf));
  const extra = plan.observed.filter((object) => !wanted.has(identityOf(object)));
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

async function applyChild(
  kube: Pick<Kube, 'get' | 'create' | 'apply' | 'delete'>,
  { object, observed, plan }: ApplyInput,
): Promise<Outcome> {
  if (observed?.metadata.deletionTimestamp) return ['pending', observed];
  if (observed && hashOn(observed) === hashOn(object)) return undefined;
  if (observed && isImmutable(observed)) {
    await pruneChild(kube, observed, plan);
    return ['pending', observed];
  }
  const applied = await (isImmutable(object) ? createChild : apply)(kube, object, plan);
  // The cache may not show yet that a former object of this name is terminating.
  if (applied.metadata.deletionTimestamp) return ['pending', applied];
  return [observed ? 'updated' : 'created', applied];
}

function apply(
  kube: Pick<Kube, 'apply'>,
  object: KubeObject,
  plan: ChildrenPlan,
): Promise<Stored<KubeObject>> {
  return kube.apply(childTypeOf(object, plan.types), object, { fieldManager: plan.fieldManager });
}

/** Immutable objects do not need managed fields: an apply costs kube-apiserver 50 % more than a create. */
async function createChild(
  kube: Pick<Kube, 'create' | 'apply'>,
  object: KubeObject,
  plan: ChildrenPlan,
): Promise<Stored<KubeObject>> {
  try {
    return await kube.create(childTypeOf(object, plan.types), object);
  } catch (error) {
    // It already exists, but the cache does not show it yet.
    if (isAppError(error, 'Conflict')) return apply(kube, object, plan);
    throw error;
  }
}

async function removeChild(
  kube: Pick<Kube, 'get' | 'delete'>,
  observed: Stored<KubeObject>,
  plan: ChildrenPlan,
): Promise<Outcome> {
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

function collect(outcomes: Outcome[]): ChildrenResult {
  const result: ChildrenResult = { created: [], updated: [], deleted: [], pending: [] };
  for (const outcome of outcomes) {
    if (outcome) result[outcome[0]].push(outcome[1]);
  }
  return result;
}
