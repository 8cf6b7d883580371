import type { EventObjects } from '../../../sdk/src/generated/types.ts';
import type { Explorer, Found } from '../feature.ts';
import { isEvm } from '../lib/chains.ts';
import type { AddressNames } from '../parts/addressNames.ts';
import type { Result } from './result.ts';
import { texts } from './texts.ts';

/** What is searched: as much as the user may read. */
export interface Searched {
  networks: readonly EventObjects['network'][];
  tokens: readonly EventObjects['token'][];
  recordings: readonly EventObjects['recording'][];
  secrets: readonly EventObjects['secret'][];
  /** Addresses with names, and the page that has them all. */
  addresses: AddressNames;
  book: string;
  /** Pages of features. */
  pages: readonly { path: string; label: string }[];
  /** The network of the page. */
  networkId: string | undefined;
  /** Where chains have pages, if they have, and what was found for these pages. */
  explorer: Pick<Explorer, 'label' | 'pathOf'> | undefined;
  found: Omit<Found, 'isLooking'>;
}

const maxResults = 20;

const pagePaths: readonly (readonly [keyof typeof texts.pages, string])[] = [
  ['networks', '/networks'],
  ['newNetwork', '/networks/new'],
  ['tokens', '/tokens'],
  ['newToken', '/tokens/new'],
  ['transactions', '/transactions'],
  ['submit', '/transactions/new'],
  ['recordings', '/recordings'],
  ['secrets', '/secrets'],
  ['members', '/settings/members'],
  ['apiKeys', '/settings/api-keys'],
  ['settings', '/settings/general'],
];

/** What a text finds, the best first: what is on chains, then names that begin with it, then names that have it. */
export function resultsOf(text: string, searched: Searched): Result[] {
  const query = text.trim().toLowerCase();
  const all = [...objects(searched), ...pages(searched), ...addressResults(searched)];
  if (query === '') return all.slice(0, maxResults);
  const ranked = all
    .map((result) => ({ result, rank: rankOf(result, query) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.rank - b.rank);
  return [...searched.found.onChains, ...ranked.map(({ result }) => result)].slice(0, maxResults);
}

function rankOf({ title, detail, also = '' }: Result, query: string): number {
  const [name, more] = [title.toLowerCase(), detail.toLowerCase()];
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (name.split(/[\s-]/).some((word) => word.startsWith(query))) return 2;
  if (name.includes(query)) return 3;
  return more.includes(query) || also.includes(query) ? 4 : Number.POSITIVE_INFINITY;
}

function objects({ networks, tokens, recordings, secrets, explorer, found }: Searched): Result[] {
  return [
    ...networks.flatMap((network) => networkResults(network, explorer)),
    ...tokens.map(
      ({ id, name, symbol, type }): Result => ({
        key: id,
        kind: 'token',
        title: name,
        detail: `${symbol} ${type}`,
        path: `/tokens/${id}`,
      }),
    ),
    ...found.named,
    ...secrets.map(
      ({ id, name, type }): Result => ({
        key: id,
        kind: 'secret',
        title: name,
        detail: type,
        path: `/secrets?selector=${encodeURIComponent(`metadata.name == ${name}`)}`,
      }),
    ),
    ...recordings.map(
      ({ id, name, user_address, state }): Result => ({
        key: id,
        kind: 'recording',
        title: name ?? texts.recordingOf(user_address),
        detail: `${state} ${user_address} ${id}`,
        path: `/recordings/${id}`,
      }),
    ),
  ];
}

function networkResults(
  { id, name, spec, status }: EventObjects['network'],
  explorer: Searched['explorer'],
): Result[] {
  const { type } = spec.chain;
  const detail = [type, status?.state, status?.chainID].filter(Boolean).join(' ');
  const network: Result = {
    key: id,
    kind: 'network',
    title: name,
    detail,
    also: id,
    path: `/networks/${id}`,
  };
  if (!explorer || type === 'LayerZero') return [network];
  const path = explorer.pathOf(id);
  return [
    network,
    { key: path, kind: 'page', title: texts.pageOf(explorer.label, name), detail: type, path },
  ];
}

function pages({ pages: others }: Searched): Result[] {
  const own = pagePaths.map(([name, path]) => ({ path, label: texts.pages[name] }));
  return [...own, ...others].map(({ path, label }) => ({
    key: path,
    kind: 'page',
    title: label,
    detail: '',
    path,
  }));
}

/** An address with a name: on the chain of the page, or in the list of all. */
function addressResults({ addresses, book, networks, networkId, explorer }: Searched): Result[] {
  const network = networks.find(({ id, spec }) => id === networkId && isEvm(spec.chain.type));
  return [...addresses].map(([address, name]) => ({
    key: address,
    kind: 'address',
    title: name,
    detail: address,
    path:
      network && explorer
        ? explorer.pathOf(network.id, { kind: 'address', value: address })
        : `${book}?q=${encodeURIComponent(name)}`,
  }));
}
