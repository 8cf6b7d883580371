import type { Recording } from '../../../../sdk/src/generated/types.ts';
import { type Selectable, selected } from '../../lib/listFilter.ts';
import type { ListSearch } from '../../lib/listSearch.ts';

/** What the API selects recordings by. */
export const selectableRecordings: Selectable<Recording> = {
  fields: { 'metadata.name': ({ name }) => name },
  labelsOf: ({ metadata }) => metadata?.labels,
};

/** The recordings that match, the newest first. */
export function filterRecordings(all: Iterable<Recording>, { q = '', selector }: ListSearch): Recording[] {
  const part = q.trim().toLowerCase();
  return selected(all, selectableRecordings, selector)
    .filter(({ name = '', user_address }) =>
      [name, user_address].some((text) => text.toLowerCase().includes(part)),
    )
    .sort((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''));
}

/** How many transactions it has on all its networks. */
export function countOf({ networks = [] }: Recording): number {
  return networks.reduce((sum, { transactions }) => sum + transactions, 0);
}
