import type { KubeObject, ListOptions, ListPage, ResourceType, Stored } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';
import { forCaller, type Store } from './kubeErrors.ts';

const pageSize = 500;

/** The pages of a list, read for a user's request: its errors are those of `forCaller`. */
export function livePages<T extends KubeObject>(
  kube: Pick<Store, 'list'>,
  type: ResourceType<T>,
  options: ListOptions & { limit: number },
): AsyncGenerator<ListPage<T>> {
  return listPages({ list: (...request) => forCaller(kube.list(...request)) }, type, options);
}

/** The metadata of all objects of a kind in a namespace, in the same way and page by page. */
export async function* liveMetadata<T extends KubeObject>(
  kube: Pick<Store, 'list'>,
  type: ResourceType<T>,
  namespace: string,
): AsyncGenerator<Stored<T>['metadata'][]> {
  const options = { namespace, isMetadataOnly: true, limit: pageSize };
  for await (const { items } of livePages(kube, type, options)) yield items.map(({ metadata }) => metadata);
}
