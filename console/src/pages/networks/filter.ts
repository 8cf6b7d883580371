import type { Network } from '../../../../sdk/src/generated/types.ts';
import { isSelectorFor, type Selectable, selected } from '../../lib/listFilter.ts';
import type { ListSearch } from '../../lib/listSearch.ts';

/** What the API selects networks by. */
const selectableNetworks: Selectable<Network> = {
  fields: {
    'status.state': stateOf,
    'spec.chain.type': ({ spec }) => spec.chain.type,
    'metadata.ownerID': ({ metadata }) => metadata.ownerID,
    'spec.persistent': ({ spec }) => String(spec.persistent ?? false),
    'metadata.name': ({ name }) => name,
  },
  labelsOf: ({ metadata }) => metadata.labels,
};

export function stateOf({ status }: Network): string {
  return status?.state ?? 'Pending';
}

/** Whether the text is a selector whose fields the API knows; no text is one. */
export function isSelector(text: string | undefined): boolean {
  return isSelectorFor(selectableNetworks, text);
}

/** The networks that match, by name. A selector that is none matches nothing. */
export function filterNetworks(networks: Iterable<Network>, { q = '', selector }: ListSearch): Network[] {
  const part = q.toLowerCase();
  return selected(networks, selectableNetworks, selector)
    .filter(({ name }) => name.includes(part))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
