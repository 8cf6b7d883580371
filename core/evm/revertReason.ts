import { AbiCoder } from 'ethers';
import { memberOf } from '../lib/json/members.ts';

const maxLength = 300;
/** Selectors of Error(string) and Panic(uint256). */
const errorSelector = '0x08c379a0';
const panicSelector = '0x4e487b71';

/** Solidity's documentation, "Panic via assert and Error via require". */
const panics: Record<string, string> = {
  '1': 'assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division by zero',
  '33': 'conversion to an invalid enum value',
  '34': 'incorrectly encoded storage byte array',
  '49': 'pop on an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory allocated',
  '81': 'call of an uninitialized function',
};

/**
 * Why a call failed, as text, from the node's error: the data of `Error(string)`, `Panic(uint256)` or a custom error,
 * or else the node's message.
 */
export function revertReason(error: { message?: unknown; data?: unknown }): string {
  const data = dataOf(error.data);
  const decoded = data === undefined ? undefined : decodeRevert(data);
  const message = typeof error.message === 'string' ? error.message : '';
  const text = decoded ?? (message === '' || /revert/i.test(message) ? 'reverted without a reason' : message);
  return clean(text);
}

/** The revert data of a contract as text; undefined when it returned nothing. */
export function decodeRevert(data: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{8}/.test(data)) return undefined;
  const selector = data.slice(0, 10).toLowerCase();
  const decoded = decodeOne(selector, `0x${data.slice(10)}`);
  if (selector === errorSelector && typeof decoded === 'string') return clean(`reverted: ${decoded}`);
  if (selector === panicSelector && typeof decoded === 'bigint') {
    const meaning = panics[String(decoded)] ?? 'unknown';
    return `panicked: ${meaning} (0x${decoded.toString(16)})`;
  }
  const rest = data.length > 10 ? ` with 0x${data.slice(10)}` : '';
  return clean(`reverted with the custom error ${selector}${rest}`);
}

function decodeOne(selector: string, body: string): unknown {
  if (selector !== errorSelector && selector !== panicSelector) return undefined;
  try {
    const [value] = AbiCoder.defaultAbiCoder().decode(
      [selector === errorSelector ? 'string' : 'uint256'],
      body,
    );
    return value;
  } catch {
    return undefined;
  }
}

/** Nodes send the data itself, or an object around it. */
function dataOf(data: unknown): string | undefined {
  const found = typeof data === 'string' ? data : memberOf(data, 'data');
  return typeof found === 'string' ? found : undefined;
}

/** A contract may return arbitrary text. */
function clean(text: string): string {
  const printable = text.replace(/[\p{C}]+/gu, ' ').trim();
  return printable.length <= maxLength ? printable : `${printable.slice(0, maxLength - 1)}…`;
}
