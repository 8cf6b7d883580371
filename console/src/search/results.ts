import type { EventObjects, KnownContract } from '../../../sdk/src/generated/types.ts';
import { isEvm } from '../lib/chains.ts';
import { contractName } from '../pages/explorer/contractName.ts';
import { type Family, targetsOf } from '../pages/explorer/search.ts';
import type { AddressNames } from '../parts/addressNames.ts';
import type { Place } from './onChains.ts';
import { texts } from './texts.ts';

/** Something that can be opened. */
export interface Result {
  key: string;
  kind: keyof typeof texts.kinds;
  title: string;
  /** What tells it from others of its name. */
  detail: string;
  /** What it is found by, too. */
  also?: string;
  path: string;
}

/** What is searched: as much as the user may read. */
export interface Searched {
  networks: readonly EventObjects['network'][];
  tokens: readonly EventObjects['token'][];
  recordings: readonly EventObjects['recording'][];
  secrets: readonly EventObjects['secret'][];
  /** Addresses with names, and the page that has them all. */
  addresses: AddressNames;
  book: string;
  /** Those that the service found by their names, or by those of their tokens. */
  contracts: readonly KnownContract[];
  /** Pages of features. */
  pages: readonly { path: string; label: string }[];
  /** The network of the page, whose chain comes first. */
  networkId: string | undefined;
  /** The networks whose chains have the hash or the address; undefined while they are asked. */
  found: readonly string[] | undefined;
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
  return [...onChains(text, searched), ...ranked.map(({ result }) => result)].slice(0, maxResults);
}

function rankOf({ title, detail, also = '' }: Result, query: string): number {
  const [name, more] = [title.toLowerCase(), detail.toLowerCase()];
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (name.split(/[\s-]/).some((word) => word.startsWith(query))) return 2;
  if (name.includes(query)) return 3;
  return more.includes(query) || also.includes(query) ? 4 : Number.POSITIVE_INFINITY;
}

function objects({ networks, tokens, recordings, secrets, contracts }: Searched): Result[] {
  return [
    ...networks.flatMap(networkResults),
    ...tokens.map(
      ({ id, name, symbol, type }): Result => ({
        key: id,
        kind: 'token',
        title: name,
        detail: `${symbol} ${type}`,
        path: `/tokens/${id}`,
      }),
    ),
    ...contracts.map(contractResult),
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

function contractResult({ address, name, network, networkID, token }: KnownContract): Result {
  return {
    key: `${networkID}/${address}`,
    kind: 'contract',
    title: contractName(name),
    detail: [token?.symbol, network, address].filter(Boolean).join(' '),
    also: `${name} ${token?.name ?? ''}`.toLowerCase(),
    path: `/networks/${networkID}/explorer/address/${address}`,
  };
}

function networkResults({ id, name, spec, status }: EventObjects['network']): Result[] {
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
  if (type === 'LayerZero') return [network];
  const explorer: Result = {
    key: `${id}/explorer`,
    kind: 'page',
    title: texts.explorerOf(name),
    detail: type,
    path: `/networks/${id}/explorer`,
  };
  return [network, explorer];
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
function addressResults({ addresses, book, networks, networkId }: Searched): Result[] {
  const network = networks.find(({ id, spec }) => id === networkId && isEvm(spec.chain.type));
  return [...addresses].map(([address, name]) => ({
    key: address,
    kind: 'address',
    title: name,
    detail: address,
    path: network
      ? `/networks/${network.id}/explorer/address/${address}`
      : `${book}?q=${encodeURIComponent(name)}`,
  }));
}

interface ChainPlace extends Place {
  network: EventObjects['network'];
  /** Whether the chain can be asked for it. */
  isAsked: boolean;
}

/** Where a block, a transaction or an address may be: on the network of the page first, and on all that run. */
export function placesOf(
  text: string,
  { networks, networkId }: Pick<Searched, 'networks' | 'networkId'>,
): ChainPlace[] {
  const running = networks.filter(({ status }) => status?.state === 'Operational');
  const first = running.filter(({ id }) => id === networkId);
  const isNumber = /^[\d#,_]+$/.test(text.trim());
  // Every chain has a block of this number.
  const places = isNumber ? first : [...first, ...running.filter(({ id }) => id !== networkId)];
  return places.flatMap((network) => {
    const family = familyOf(network.spec.chain.type);
    const [target] = targetsOf(family, text);
    const isAsked = family === 'evm' && target?.kind !== 'block';
    return target ? [{ network, networkId: network.id, target, isAsked }] : [];
  });
}

function onChains(text: string, searched: Searched): Result[] {
  const there = placesOf(text, searched).filter(
    ({ isAsked, networkId }) => !isAsked || searched.found?.includes(networkId),
  );
  return there.map(({ network: { id, name, spec }, target: { kind, value } }) => ({
    key: `${id}/${kind}/${value}`,
    kind,
    title: texts.on(value.length > 20 ? `${value.slice(0, 10)}…${value.slice(-6)}` : value, name),
    detail: spec.chain.type,
    path: `/networks/${id}/explorer/${kind}/${value}`,
  }));
}

function familyOf(type: string): Family {
  if (isEvm(type)) return 'evm';
  return type === 'Solana' ? 'solana' : 'thorchain';
}
