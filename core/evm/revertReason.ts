import { panicText } from '../abi/panics.ts';
import { memberOf } from '../lib/json/members.ts';
import { cut, maxForeignText } from '../lib/text/foreignText.ts';

const maxLength = 300;
/** Digits of a word of ABI-coded data. */
const wordDigits = 64;
/** Selectors of Error(string) and Panic(uint256). */
const errorSelector = '0x08c379a0';
const panicSelector = '0x4e487b71';

/**
 * Why a call failed, as text, from the node's error: the data of `Error(string)`, `Panic(uint256)` or a custom error,
 * or else the node's message.
 */
export function revertReason(error: { message?: unknown; data?: unknown }): string {
  const data = dataOf(error.data);
  const decoded = data === undefined ? undefined : decodeRevert(data);
  const message = typeof error.message === 'string' ? cut(error.message) : '';
  const text = decoded ?? (message === '' || /revert/i.test(message) ? 'reverted without a reason' : message);
  return clean(text);
}

/** The revert data of a contract as text; undefined when it returned nothing. */
export function decodeRevert(data: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{8}/.test(data)) return undefined;
  const body = data.slice(10);
  const rest = body === '' ? '' : ` with 0x${body.slice(0, maxLength)}`;
  return decodeBuiltin(data) ?? clean(`reverted with the custom error ${selectorOf(data)}${rest}`);
}

const selectorOf = (data: string) => data.slice(0, 10).toLowerCase();

/** The same for the errors that Solidity has itself; undefined for others. */
export function decodeBuiltin(data: string): string | undefined {
  const body = data.slice(10);
  if (selectorOf(data) === errorSelector) {
    const text = textIn(body);
    return text === undefined ? undefined : clean(`reverted: ${text}`);
  }
  const panic = selectorOf(data) === panicSelector ? wordAt(body, 0) : undefined;
  if (panic === undefined) return undefined;
  return `panicked: ${panicText(panic)}`;
}

/**
 * The string in the ABI-coded data of a contract, which may have any length: only what fits into a message is decoded. Undefined if
 * there is none (Solidity's documentation, "Contract ABI Specification").
 */
function textIn(body: string): string | undefined {
  const offset = wordAt(body, 0);
  const start = offset === undefined ? Number.NaN : Number(offset) * 2;
  const length = wordAt(body, start);
  if (length === undefined || BigInt(body.length - start - wordDigits) < length * 2n) return undefined;
  const shown = Math.min(Number(length), maxForeignText);
  return Buffer.from(body.slice(start + wordDigits, start + wordDigits + shown * 2), 'hex').toString();
}

/** The number in the word that begins with digit `start`; undefined if there is none. */
function wordAt(body: string, start: number): bigint | undefined {
  const digits = body.slice(start, start + wordDigits);
  return /^[0-9a-fA-F]{64}$/.test(digits) ? BigInt(`0x${digits}`) : undefined;
}

/** Nodes send the data itself, or an object around it. */
function dataOf(data: unknown): string | undefined {
  const found = typeof data === 'string' ? data : memberOf(data, 'data');
  return typeof found === 'string' ? found : undefined;
}

/** A contract may return arbitrary text. */
function clean(text: string): string {
  const printable = cut(text).replace(/[\p{C}]+/gu, ' ');
  return cut(printable.trim(), maxLength);
}
