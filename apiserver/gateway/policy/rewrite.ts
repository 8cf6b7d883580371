import { createUnlimitedScan, readMembers, skipSpace } from '../jsonrpc/jsonScan.ts';

/** Longer keys are the node's to refuse. */
const storageKey = /^0x([0-9a-fA-F]{0,63})$/;

/**
 * A call, as JSON text, in the form that every EVM node accepts; undefined if it is sent as it is. anvil takes storage keys of
 * 32 bytes only, while clients also send numbers (EIP-1186 leaves it open): `0x0` is slot 0.
 */
export function evmRewrite(method: string, text: string): string | undefined {
  if (method !== 'eth_getProof') return undefined;
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  const given = members.find(({ name }) => name === '"params"')?.value ?? '[]';
  const params: unknown = JSON.parse(given);
  const keys: unknown = Array.isArray(params) ? params[1] : undefined;
  if (!Array.isArray(params) || !Array.isArray(keys) || !keys.some(isShort)) return undefined;
  const padded = JSON.stringify([
    params[0],
    keys.map((key) => (isShort(key) ? pad(key) : key)),
    ...params.slice(2),
  ]);
  return `{${members.map(({ name, value }) => `${name}:${name === '"params"' ? padded : value}`).join(',')}}`;
}

function isShort(key: unknown): key is string {
  return typeof key === 'string' && storageKey.test(key);
}

function pad(key: string): string {
  return `0x${key.slice(2).padStart(64, '0')}`;
}
