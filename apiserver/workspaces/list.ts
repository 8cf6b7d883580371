import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import { escapeFieldValue } from '../../core/kube/selector.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import { type ListRequest, listPage } from '../http/paging/list.ts';
import type { Store } from '../store/kubeErrors.ts';
import { livePages } from '../store/livePages.ts';

const pageSize = 500;

/** Fields that kube-apiserver can select by, with their values. */
export type Selection = Partial<
  Record<'spec.workspace' | 'spec.user' | 'spec.email' | 'spec.createdBy' | 'spec.sponsor', string>
>;

interface Place {
  kube: Pick<Store, 'list'>;
  /** The namespace of the service. */
  namespace: string;
}

/**
 * All account objects of a kind that match a selection, ascending by name. Read live, because these lists are rare and
 * short, and must be consistent on every replica.
 */
export async function listLive<T extends KubeObject>(
  { kube, namespace }: Place,
  type: ResourceType<T>,
  selection: Selection,
): Promise<Stored<T>[]> {
  const fields = Object.entries(selection).map(([field, value]) => `${field}=${escapeFieldValue(value)}`);
  const fieldSelector = fields.length > 0 ? fields.join(',') : undefined;
  const found: Stored<T>[] = [];
  const options = { namespace, limit: pageSize, ...compact({ fieldSelector }) };
  for await (const { items } of livePages(kube, type, options)) {
    found.push(...items.filter(({ metadata }) => metadata.deletionTimestamp === undefined));
  }
  return found.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

type Given = 'kind' | 'endpoint' | 'principal' | 'query' | 'keyOf';

interface PageRequest<T> extends Pick<ListRequest<T>, Given> {
  /** All items, ascending by `keyOf`. */
  items: readonly T[];
  toRest(item: T): object;
}

/** A page of a list of the Workspace API, which has no selector. */
export function accountPage<T>(
  { cursors }: { cursors: Cursors },
  { items, toRest, ...request }: PageRequest<T>,
): { json: Buffer } {
  const { json } = listPage(
    {
      ...request,
      version: 'v1alpha1',
      selectable: [],
      itemsFor: () => items,
      readField: () => undefined,
      toJson: (item) => JSON.stringify(toRest(item)),
    },
    cursors,
  );
  return { json };
}
