import { compact } from '../../../lib/compact.ts';
import { AppError } from '../../../lib/errors.ts';
import { stableJson } from '../../../lib/hash.ts';
import type { KubeObject, ResourceType, Stored } from '../../kube.ts';
import type { StoredObject } from './fakeStorage.ts';

/** The validation and defaulting of kube-apiserver that Slipway's tests depend on. */

const statusless = [
  '/configmaps',
  '/secrets',
  '/events',
  'coordination.k8s.io/leases',
  'discovery.k8s.io/endpointslices',
];
const generationless = [...statusless, '/services', '/persistentvolumeclaims', '/namespaces'];

/** Whether status is written only through its own subresource. */
export function hasStatus(type: ResourceType): boolean {
  return !statusless.includes(`${type.group}/${type.plural}`);
}

function hasGeneration(type: ResourceType): boolean {
  return !generationless.includes(`${type.group}/${type.plural}`);
}

/** Kinds defined by a CRD; their group is not one of Kubernetes itself. */
function isCustom(type: ResourceType): boolean {
  return type.group.includes('.') && !type.group.endsWith('.k8s.io');
}

export function notFound(type: ResourceType, name: string): AppError {
  const kind = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
  return new AppError('NotFound', `${kind} "${name}" not found`);
}

function invalid(path: string, message: string): AppError {
  return new AppError('BadRequest', `${path}: ${message}`, { details: [{ path, message }] });
}

/** RFC 1123 subdomain, the format of most names. */
export function checkName(object: KubeObject): void {
  const { name } = object.metadata;
  const isValid =
    name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
  if (!isValid) throw invalid('metadata.name', 'Invalid value: a lowercase RFC 1123 subdomain');
}

/** The preconditions of a write: uid and resourceVersion. */
export function checkPreconditions(
  current: KubeObject,
  next: { uid?: string; resourceVersion?: string },
): void {
  const { name, uid, resourceVersion } = current.metadata;
  if (next.uid !== undefined && next.uid !== uid) throw conflict(name, 'the UID is different');
  if (next.resourceVersion !== undefined && next.resourceVersion !== resourceVersion) {
    throw conflict(name, 'the object has been modified');
  }
}

/** A PUT without resourceVersion is refused for kinds that do not allow unconditional updates. */
export function checkReplace(type: ResourceType, next: KubeObject): void {
  const isConditional = isCustom(type) || type.plural === 'leases';
  if (isConditional && !next.metadata.resourceVersion) {
    throw invalid('metadata.resourceVersion', 'Invalid value: must be specified for an update');
  }
}

/** Fields that may not change once they are set. */
function checkImmutable(type: ResourceType, current: KubeObject, next: KubeObject): void {
  const added = (next.metadata.finalizers ?? []).filter(
    (entry) => !current.metadata.finalizers?.includes(entry),
  );
  if (current.metadata.deletionTimestamp && added.length > 0) {
    throw invalid(
      'metadata.finalizers',
      'Forbidden: no new finalizers can be added if the object is being deleted',
    );
  }
  if (type.group === '' && type.plural === 'pods' && podSpec(current) !== podSpec(next)) {
    throw invalid('spec', 'Forbidden: pod updates may not change fields other than a few');
  }
  if (isService(type) && addressOf(current) !== addressOf(next)) {
    throw invalid('spec.clusterIPs[0]', 'Invalid value: may not change once set');
  }
  const isFrozen = 'immutable' in current && current.immutable === true;
  if (isFrozen && contentOf(current) !== contentOf(next)) {
    throw invalid('data', 'Forbidden: field is immutable when `immutable` is set');
  }
}

function isService(type: ResourceType): boolean {
  return type.group === '' && type.plural === 'services';
}

function addressOf(service: KubeObject): string | undefined {
  return (service as KubeObject & { spec: { clusterIP?: string } }).spec.clusterIP;
}

/** A Service that does not say which address it wants keeps `address`. */
function withAddress(service: KubeObject, address: string | undefined): { spec: object } {
  const { spec } = service as KubeObject & { spec: object };
  return { spec: { ...compact({ clusterIP: address }), ...spec } };
}

/** A new object as the server stores it; the storage numbers it when it takes it. */
export function prepareNew(
  type: ResourceType,
  object: KubeObject,
  set: { uid: string; now: string },
): Stored<KubeObject> {
  const {
    status: _,
    stringData,
    ...content
  } = object as KubeObject & { status?: unknown; stringData?: Record<string, string> };
  const {
    generation: _generation,
    deletionTimestamp: _deletion,
    resourceVersion: _version,
    ...metadata
  } = object.metadata;
  const isPod = type.group === '' && type.plural === 'pods';
  const prepared = {
    ...content,
    ...(hasStatus(type) ? {} : pick(object, 'status')),
    ...(isPod ? { status: { phase: 'Pending' } } : {}),
    ...(isService(type) ? withAddress(object, '10.96.0.10') : {}),
    ...compact({ data: stringData && mergeStringData(object, stringData) }),
    metadata: {
      ...metadata,
      uid: set.uid,
      resourceVersion: '0',
      creationTimestamp: set.now,
      ...(hasGeneration(type) ? { generation: 1 } : {}),
    },
  };
  return structuredClone(prepared);
}

export type Subresource = 'status' | 'ephemeralcontainers';

/** The next state of an object after a write to it, or to its subresource. */
export function prepareNext(
  current: StoredObject,
  sent: KubeObject,
  subresource?: Subresource,
): Stored<KubeObject> {
  const { type, object } = current;
  if (!subresource) {
    const next = prepareUpdate(type, object, sent);
    checkImmutable(type, object, next);
    return next;
  }
  const isServed = subresource === 'status' ? hasStatus(type) : type.kind === 'Pod';
  if (!isServed) throw notFound(type, object.metadata.name);
  return subresource === 'status' ? prepareStatus(object, sent) : prepareEphemeral(object, sent);
}

/** The next state after a write: fields set by the server stay, and the generation follows the spec. */
function prepareUpdate(
  type: ResourceType,
  current: Stored<KubeObject>,
  sent: KubeObject,
): Stored<KubeObject> {
  const { uid, creationTimestamp, generation, deletionTimestamp, resourceVersion, name, namespace } =
    current.metadata;
  const fixed = { uid, creationTimestamp, generation, deletionTimestamp, resourceVersion, name, namespace };
  const { managedFields: _, ...metadata } = sent.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  const { status: _status, ...content } = sent as KubeObject & { status?: unknown };
  const next = {
    ...content,
    ...pick(hasStatus(type) ? current : sent, 'status'),
    ...(isService(type) ? withAddress(sent, addressOf(current)) : {}),
    metadata: { ...metadata, ...fixed },
  } as Stored<KubeObject>;
  const isChanged = contentOf(next) !== contentOf(current);
  if (isChanged && generation !== undefined) next.metadata.generation = generation + 1;
  return JSON.parse(JSON.stringify(next)) as Stored<KubeObject>;
}

/** The next state after a write to the status subresource: only status changes. */
function prepareStatus(current: Stored<KubeObject>, sent: KubeObject): Stored<KubeObject> {
  const { status: _, ...content } = current as Stored<KubeObject> & { status?: unknown };
  return structuredClone({ ...content, ...pick(sent, 'status') }) as Stored<KubeObject>;
}

/** The only way to add containers to a running pod. */
function prepareEphemeral(current: Stored<KubeObject>, sent: KubeObject): Stored<KubeObject> {
  const { spec } = current as KubeObject & { spec: object };
  const { ephemeralContainers } = (sent as KubeObject & { spec: { ephemeralContainers?: unknown } }).spec;
  const generation = (current.metadata.generation ?? 0) + 1;
  const metadata = { ...current.metadata, generation };
  return structuredClone({ ...current, metadata, spec: { ...spec, ephemeralContainers } });
}

function contentOf(object: KubeObject): string {
  const { metadata: _, status: _status, ...content } = object as KubeObject & { status?: unknown };
  return stableJson(content);
}

/** A pod's spec without the field that may change: the node assigned by the scheduler. */
function podSpec(pod: KubeObject): string {
  const { nodeName: _, ...spec } = (pod as KubeObject & { spec: { nodeName?: string } }).spec;
  return stableJson(spec);
}

function pick(object: KubeObject, key: 'status'): object {
  const value = (object as KubeObject & { status?: unknown })[key];
  return compact({ [key]: value });
}

function mergeStringData(object: KubeObject, stringData: Record<string, string>): Record<string, string> {
  const { data = {} } = object as KubeObject & { data?: Record<string, string> };
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  return { ...data, ...Object.fromEntries(encoded) };
}

function conflict(name: string, why: string): AppError {
  return new AppError('Conflict', `the write of ${name} cannot be fulfilled: ${why}`);
}
