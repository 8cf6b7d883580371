import { featureResources } from '../../core/api/features.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import * as resources from '../../core/api/resources/resources.ts';
import type { Kube, ListOptions } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';

/** An object of any kind, as the API serves it. */
export interface AnyObject extends KubeObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

/** A kind of which a backup knows no more than `T`. */
export function kindOf<T extends KubeObject = AnyObject>(
  apiVersion: string,
  kind: string,
  isNamespaced = true,
): ResourceType<T> {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const plural = `${kind.toLowerCase()}${kind.endsWith('s') ? 'es' : 's'}`;
  return { group, version, kind, plural, isNamespaced };
}

/** Every custom resource of Slipway: a new kind is backed up without being named here. */
export const slipwayTypes: readonly ResourceType<AnyObject>[] = [
  ...Object.values(resources),
  ...featureResources.map(({ type }) => type),
].map(({ group, version, kind, plural, isNamespaced }) => ({ group, version, kind, plural, isNamespaced }));

/** The type of an object that a restore writes. */
export function typeOf<T extends KubeObject>({ apiVersion, kind, metadata }: T): ResourceType<T> {
  const type = kindOf<T>(apiVersion, kind, metadata.namespace !== undefined);
  const own = slipwayTypes.find((one) => one.group === type.group && one.kind === kind);
  return { ...type, plural: own?.plural ?? type.plural };
}

export function isNetwork(object: Stored<AnyObject>): object is Stored<AnyObject & NetworkResource> {
  return object.kind === resources.networkType.kind;
}

/** All pages of a list. */
export async function readAll<T extends KubeObject>(
  kube: Kube,
  type: ResourceType<T>,
  options: ListOptions = {},
): Promise<Stored<T>[]> {
  const found: Stored<T>[] = [];
  for await (const { items } of listPages(kube, type, { ...options, limit: 100 })) found.push(...items);
  return found;
}
