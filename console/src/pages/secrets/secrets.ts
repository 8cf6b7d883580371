import type { Network, Secret } from '../../../../sdk/src/generated/types.ts';
import { withoutEnding } from '../../../../sdk/src/withoutEnding.ts';
import { type Selectable, selected } from '../../lib/listFilter.ts';
import type { ListSearch } from '../../lib/listSearch.ts';

/** What the API selects secrets by. */
export const selectableSecrets: Selectable<Secret> = {
  fields: {
    type: ({ type }) => type,
    'metadata.ownerID': ({ metadata }) => metadata.ownerID,
    'metadata.name': ({ name }) => name,
  },
  labelsOf: ({ metadata }) => metadata.labels,
};

/** The secrets that match, by name. */
export function filterSecrets(all: Iterable<Secret>, { q = '', selector }: ListSearch): Secret[] {
  const part = q.toLowerCase();
  return selected(all, selectableSecrets, selector)
    .filter(({ name }) => name.includes(part))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The networks that refer to each secret, by its name. */
export function usersOf(networks: Iterable<Network>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const { name, spec } of networks) {
    for (const secret of new Set(referencesIn(spec))) users.set(secret, [...(users.get(secret) ?? []), name]);
  }
  return users;
}

/** The names in members such as `privateKeyRef`. Those of networks are in `networkRef`. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, content]) => {
    if (!member.endsWith('Ref') || member === 'networkRef') return referencesIn(content);
    return isReference(content) ? [content.name] : [];
  });
}

function isReference(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

export const sources = ['random', 'hex', 'text', 'base64'] as const;
export type Source = (typeof sources)[number];

/** Where the data of a type usually comes from. */
export function sourcesOf(type: string): readonly Source[] {
  if (type === 'mnemonic') return ['text'];
  return type === 'ethereum-private-key' ? ['random', 'hex'] : ['text', 'hex', 'base64'];
}

/** Base64 of the bytes that a user gave; undefined for what is none of that form. */
export function encoded(source: Source, given: string): string | undefined {
  const text = given.trim();
  if (source === 'random') return base64Of(crypto.getRandomValues(new Uint8Array(32)));
  if (source === 'text') return text === '' ? undefined : base64Of(new TextEncoder().encode(text));
  if (source === 'hex') return fromHex(text.replace(/^0x/, ''));
  const plain = text.replaceAll(/\s/g, '');
  return plain !== '' && /^[A-Za-z0-9+/]*={0,2}$/.test(plain) ? plain : undefined;
}

/** The bytes of an Ethereum private key. */
export const keyBytes = 32;

/** How many bytes base64 stands for. */
export const sizeOf = (data: string) => Math.floor((withoutEnding(data, '=').length * 3) / 4);

function fromHex(digits: string): string | undefined {
  if (digits.length === 0 || digits.length % 2 === 1 || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  return base64Of(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

function base64Of(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  bytes.fill(0);
  return text;
}
