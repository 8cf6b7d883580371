import { paramsOf, withParams } from '../jsonrpc/params.ts';

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
  const [account, keys, ...rest] = paramsOf(text);
  if (!Array.isArray(keys)) return undefined;
  const whole = keys.map(pad);
  const isWhole = whole.every((key, at) => key === keys[at]);
  return isWhole ? undefined : withParams(text, [account, whole, ...rest]);
}

/** A key of 32 bytes in place of a short one. */
function pad(key: unknown): unknown {
  if (typeof key !== 'string' || key.length >= wholeLength || !storageKey.test(key)) return key;
  return `0x${zeros.slice(key.length - 2)}${key.slice(2)}`;
}
