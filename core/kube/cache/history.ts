import { compact } from '../../lib/compact.ts';
import type { Kube, KubeObject, ResourceType, Stored, WatchEvent } from '../kube.ts';
import { listPages } from '../pages.ts';

export interface HistoryOptions<T extends KubeObject> {
  kube: Pick<Kube, 'list' | 'watch'>;
  type: ResourceType<T>;
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  /** The resourceVersion to begin at. */
  resourceVersion: string;
  /** What is kept of a listed object; all of it when absent. */
  trim?: ((object: Stored<T>) => Stored<T>) | undefined;
  /** Objects in one page of the list; 500 when absent. */
  pageSize?: number;
  signal: AbortSignal;
}

/** What is read of the past: first the objects as they were, then every change since. */
export type HistoryItem<T extends KubeObject> = { type: 'LISTED'; items: Stored<T>[] } | WatchEvent<T>;

/**
 * The objects of a kind as they were at a resourceVersion, and then each change after it, in order and without gaps,
 * until `signal` aborts or the server ends the watch. Throws AppError('Conflict') when the past is compacted (etcd keeps
 * five minutes of it), or when the server no longer remembers the changes: then some of them are lost.
 */
export async function* readHistory<T extends KubeObject>(
  options: HistoryOptions<T>,
): AsyncGenerator<HistoryItem<T>> {
  const { kube, type, namespace, labelSelector, resourceVersion, signal } = options;
  yield { type: 'LISTED', items: await listAt(options) };
  yield* kube.watch(type, { ...compact({ namespace, labelSelector }), resourceVersion, signal });
}

/** All pages of the list as it was at one version. */
async function listAt<T extends KubeObject>(options: HistoryOptions<T>): Promise<Stored<T>[]> {
  const { kube, type, namespace, labelSelector, resourceVersion, pageSize = 500 } = options;
  const { trim = (object: Stored<T>) => object } = options;
  const pages = listPages(kube, type, {
    ...compact({ namespace, labelSelector }),
    limit: pageSize,
    resourceVersion,
    resourceVersionMatch: 'Exact',
  });
  const found: Stored<T>[] = [];
  for await (const { items } of pages) found.push(...items.map(trim));
  return found;
}
