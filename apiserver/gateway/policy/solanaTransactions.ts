import { isPlainObject, memberOf } from '../../../core/lib/json/members.ts';
import { paramsOf } from '../jsonrpc/params.ts';

/** Where each method has its transactions, and the encoding of those that do not say it. */
const paramsByMethod: Readonly<Record<string, EncodedParams>> = {
  sendTransaction: { textsIn: (params) => [params[0]], encoding: 'base58' },
  simulateTransaction: { textsIn: (params) => [params[0]], encoding: 'base58' },
  sendBundle: { textsIn: (params) => listed(params[0]), encoding: 'base58' },
  simulateBundle: {
    textsIn: (params) => listed(memberOf(params[0], 'encodedTransactions')),
    encoding: 'base64',
  },
};

interface EncodedParams {
  textsIn(params: readonly unknown[]): readonly unknown[];
  encoding: 'base58' | 'base64';
}

const noSignature = 'a transaction has no signature: sign it with the key of the account that pays its fee';
const unclear =
  'the options are not an object, or their encoding is not known: use {"encoding":"base64"} or {"encoding":"base58"}';
const versionInBase58 =
  'a transaction in base58 does not begin with the number of its signatures: encode it in base64, as those of version 1 have to be';

/**
 * Why a call, given as JSON text, must not reach a node: surfpool-core reads the first signature of a transaction without asking
 * whether there is one. In `sendBundle`, that ends the loop that makes blocks, and with it the node, for everybody. Agave refuses
 * such a transaction with the same code. What cannot be decoded is left to the node, which says so.
 */
export function solanaFault(method: string, text: string): string | undefined {
  const encoded = Object.hasOwn(paramsByMethod, method) ? paramsByMethod[method] : undefined;
  if (!encoded) return undefined;
  const params = paramsOf(text);
  const encoding = encodingOf(params[1]) ?? encoded.encoding;
  if (encoding === 'unclear') return unclear;
  const faultOf = encoding === 'base64' ? faultOfBase64 : faultOfBase58;
  for (const one of encoded.textsIn(params)) {
    const fault = typeof one === 'string' && one !== '' ? faultOf(one) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const names = new Map<unknown, EncodedParams['encoding']>([
  ['base64', 'base64'],
  ['base58', 'base58'],
  ['binary', 'base58'],
]);

/** What the options say. A node also takes them, and the name of an encoding, in forms that no client uses. */
function encodingOf(options: unknown): EncodedParams['encoding'] | 'unclear' | undefined {
  if (options === undefined || options === null) return undefined;
  const encoding = memberOf(options, 'encoding') ?? undefined;
  if (!isPlainObject(options)) return 'unclear';
  return encoding === undefined ? undefined : (names.get(encoding) ?? 'unclear');
}

/** The first byte of a transaction of version 1, whose second is the number of its signatures. */
const version1 = 0x81;

function faultOfBase64(text: string): string | undefined {
  const [first, second] = Buffer.from(text.slice(0, 4), 'base64');
  const count = first === version1 ? second : first;
  return count === 0 ? noSignature : undefined;
}

/** More signatures do not fit into a packet of 1,232 bytes. */
const moreThanFit = 64;

/** The first byte is read without the others: decoding all takes time in proportion to the square of the length. */
function faultOfBase58(text: string): string | undefined {
  if (text.startsWith('1')) return noSignature;
  return firstByteOf(text) < moreThanFit ? undefined : versionInBase58;
}

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** As many as a number holds exactly. */
const leadingDigits = 9;

/** The first byte that a base58 text without leading ones stands for, with a fraction for those that follow. */
function firstByteOf(text: string): number {
  const leading = text.slice(0, leadingDigits);
  let value = 0;
  for (const digit of leading) value = value * 58 + Math.max(digits.indexOf(digit), 0);
  const bits = Math.log2(value) + (text.length - leading.length) * Math.log2(58);
  return 2 ** (bits - 8 * Math.floor(bits / 8));
}
