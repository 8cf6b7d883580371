import type { Kube, KubeObject, ListOptions, ResourceType, Stored } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';

const pageSize = 100;

/** All pages of a list. */
export async function readAll<T extends KubeObject>(
  kube: Kube,
  type: ResourceType<T>,
  options: ListOptions = {},
): Promise<Stored<T>[]> {
  const found: Stored<T>[] = [];
  for await (const { items } of listPages(kube, type, { ...options, limit: pageSize })) {
    for (const item of items) found.push({ ...item, kind: type.kind });
  }
  return found;
}
