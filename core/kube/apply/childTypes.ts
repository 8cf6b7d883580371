import { AppError } from '../../lib/errors.ts';
import type { KubeObject, ResourceType } from '../kube.ts';
import {
  configMapType,
  coreSecretType,
  endpointSliceType,
  jobType,
  persistentVolumeClaimType,
  podType,
  type Service,
  serviceType,
} from '../types.ts';

const childTypes: ResourceType[] = [
  podType,
  serviceType,
  configMapType,
  coreSecretType,
  persistentVolumeClaimType,
  jobType,
  endpointSliceType,
];

/** The apiVersion of a type's objects: `v1`, `batch/v1`. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** The type of an object, one of the types of children or `extra`; Internal when it is neither. */
export function childTypeOf(object: KubeObject, extra: ResourceType[] = []): ResourceType {
  const type = [...childTypes, ...extra].find(
    (candidate) => candidate.kind === object.kind && apiVersionOf(candidate) === object.apiVersion,
  );
  if (!type)
    throw new AppError('Internal', `${object.apiVersion} ${object.kind} is not a supported type of child`);
  return type;
}

/** Whether an object cannot be updated, only deleted and created again. */
export function isImmutable(object: KubeObject): boolean {
  const isFrozen = 'immutable' in object && object.immutable === true;
  return isFrozen || object.kind === podType.kind || object.kind === jobType.kind;
}

/**
 * Whether an object is created and later changed by merge patches, each of which costs kube-apiserver a good deal less than
 * an apply and the read before it. Only for kinds whose own members stay the same and whose lists are given as a whole: a
 * patch removes no member that is no longer desired.
 */
export function isPatched({ kind }: KubeObject): boolean {
  return kind === serviceType.kind || kind === persistentVolumeClaimType.kind;
}

/** What a patch may hold: whether a Service has an address of its own is settled when it is created. */
export function changesOf(object: KubeObject): object {
  if (!isService(object)) return object;
  const { clusterIP: _settled, ...spec } = object.spec;
  return { ...object, spec };
}

function isService(object: KubeObject): object is Service {
  return object.kind === serviceType.kind;
}
