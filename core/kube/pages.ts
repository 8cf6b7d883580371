import type { Kube, KubeObject, ListOptions, ListPage, ResourceType } from './kube.ts';

/**
 * The pages of a list, each of at most `limit` objects and read when it is asked for. All are of one version: a page
 * that is asked for after that version is compacted rejects with Conflict.
 */
export async function* listPages<T extends KubeObject>(
  kube: Pick<Kube, 'list'>,
  type: ResourceType<T>,
  options: ListOptions & { limit: number },
): AsyncGenerator<ListPage<T>> {
  // A continue token names the version itself.
  const { resourceVersion: _, resourceVersionMatch: __, ...scope } = options;
  let page = await kube.list(type, options);
  yield page;
  while (page.continueToken) {
    page = await kube.list(type, { ...scope, continueToken: page.continueToken });
    yield page;
  }
}
