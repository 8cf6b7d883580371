import type { KubeObject, ListOptions, ListPage, ResourceType } from '../../core/kube/kube.ts';
import { listPages } from '../../core/kube/pages.ts';
import { forCaller, type Store } from './kubeErrors.ts';

/** The pages of a list, read for a user's request: its errors are those of `forCaller`. */
export function livePages<T extends KubeObject>(
  kube: Pick<Store, 'list'>,
  type: ResourceType<T>,
  options: ListOptions & { limit: number },
): AsyncGenerator<ListPage<T>> {
  return listPages({ list: (...request) => forCaller(kube.list(...request)) }, type, options);
}
