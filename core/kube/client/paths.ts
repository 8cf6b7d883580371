import { AppError } from '../../lib/errors.ts';
import type { ListOptions, ObjectRef, ResourceType } from '../kube.ts';

type Query = Record<string, string | number | boolean | undefined>;

/** The path of the collection of a type, in one namespace when one is given. */
export function collectionPath(type: ResourceType, namespace?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope =
    type.isNamespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${type.plural}`;
}

/** The path to create an object of a type at; Internal when the namespace is missing. */
export function creationPath(type: ResourceType, namespace?: string): string {
  if (type.isNamespaced && !namespace)
    throw new AppError('Internal', `a request for a ${type.kind} needs a namespace`);
  return collectionPath(type, namespace);
}

/** The path of one object, or of its subresource. */
export function objectPath(type: ResourceType, ref: ObjectRef, subresource?: string): string {
  // An empty name would turn a request for one object into a request for all of them.
  if (ref.name === '') throw new AppError('Internal', `a request for a ${type.kind} needs a name`);
  const path = `${creationPath(type, ref.namespace)}/${encodeURIComponent(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `?a=1&b=2` from the members that are set; empty when there are none. */
export function queryString(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params.size === 0 ? '' : `?${params}`;
}

/** The query of a list request. */
export function listQuery(options: ListOptions): string {
  return queryString({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    limit: options.limit,
    continue: options.continueToken,
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
  });
}
