import type { Network } from '../../../../sdk/src/generated/types.ts';
import { type Clause, formatSelector, matches, parseSelector } from '../../lib/selector.ts';
import type { NetworksSearch } from './search.ts';

/** What the API selects networks by. */
const fields: Readonly<Record<string, (network: Network) => string | undefined>> = {
  'status.state': stateOf,
  'spec.chain.type': ({ spec }) => spec.chain.type,
  'metadata.ownerID': ({ metadata }) => metadata.ownerID,
  'spec.persistent': ({ spec }) => String(spec.persistent ?? false),
  'metadata.name': ({ name }) => name,
};

const labelPrefix = 'metadata.labels.';

function readField(network: Network, field: string): string | undefined {
  if (field.startsWith(labelPrefix)) return network.metadata.labels?.[field.slice(labelPrefix.length)];
  return fields[field]?.(network);
}

export function stateOf({ status }: Network): string {
  return status?.state ?? 'Pending';
}

/** Whether the text is a selector whose fields the API knows; no text is one. */
export function isSelector(text: string | undefined): boolean {
  if (text === undefined || text.trim() === '') return true;
  return parseSelector(text)?.every(({ field }) => field in fields || field.startsWith(labelPrefix)) ?? false;
}

/** The networks that match, by name. A selector that is none matches nothing. */
export function filterNetworks(
  networks: Iterable<Network>,
  { q = '', selector = '' }: NetworksSearch,
): Network[] {
  if (!isSelector(selector)) return [];
  const clauses = parseSelector(selector) ?? [];
  const part = q.toLowerCase();
  return [...networks]
    .filter((one) => one.name.includes(part) && matches(clauses, (field) => readField(one, field)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The one value that a selector wants of a field; empty for any. */
export function facetOf(selector: string | undefined, field: string): string {
  const clause = parseSelector(selector ?? '')?.find((one) => one.field === field && !one.isExcluded);
  return clause?.values.length === 1 ? (clause.values[0] ?? '') : '';
}

/** The selector with another value of a field; without one for an empty value. */
export function withFacet(selector: string | undefined, field: string, value: string): string {
  const others = (parseSelector(selector ?? '') ?? []).filter((one) => one.field !== field);
  const added: Clause[] = value === '' ? [] : [{ field, values: [value], isExcluded: false }];
  return formatSelector([...others, ...added]);
}
