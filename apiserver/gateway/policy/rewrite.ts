import { createUnlimitedScan, readMembers, skipSpace } from '../jsonrpc/jsonScan.ts';

/** Longer keys are the node's to refuse. */
const storageKey = /^0x([0-9a-fA-F]{0,63})$/;
const zeros = '0'.repeat(64);
const wholeLength = zeros.length + 2;

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
  if (!Array.isArray(params) || !Array.isArray(keys)) return undefined;
  const whole = keys.map(pad);
  if (whole.every((key, at) => key === keys[at])) return undefined;
  const padded = JSON.stringify([params[0], whole, ...params.slice(2)]);
  return `{${members.map(({ name, value }) => `${name}:${name === '"params"' ? padded : value}`).join(',')}}`;
}

/** A key of 32 bytes in place of a short one. */
function pad(key: unknown): unknown {
  if (typeof key !== 'string' || key.length >= wholeLength || !storageKey.test(key)) return key;
  return `0x${zeros.slice(key.length - 2)}${key.slice(2)}`;
}
