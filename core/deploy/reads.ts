import type { ChainReader } from '../evm/chainReader.ts';
import { codeAt, decodeOne, encodeCall, ethCall, type FunctionCall } from '../evm/contractCalls.ts';
import { compact } from '../lib/compact.ts';
import type { CallRead, CodeRead, Read } from './step.ts';

/** The function must return `expected`, a single value. */
export function reads(call: FunctionCall, expected: unknown): CallRead {
  const answer = call.abi.encodeFunctionResult(call.name, [expected]);
  return {
    what: `${call.name}(${(call.args ?? []).join(', ')}) of ${call.to} is ${String(expected)}`,
    to: call.to,
    data: encodeCall(call),
    isMet: (result) => result?.toLowerCase() === answer.toLowerCase(),
  };
}

/** The function must return one number, `minimum` or more. */
export function readsAtLeast(call: FunctionCall, minimum: bigint): CallRead {
  return {
    what: `${call.name} of ${call.to} is at least ${minimum}`,
    to: call.to,
    data: encodeCall(call),
    isMet(result) {
      const value = decodeOne(call, result);
      return value !== undefined && BigInt(String(value)) >= minimum;
    },
  };
}

/** There must be a contract at the address. */
export function readsCode(address: string): CodeRead {
  return {
    what: `there is a contract at ${address}`,
    codeOf: address,
    isMet: (result) => result !== undefined && result !== '0x',
  };
}

/** The result of a read; undefined when the call reverted. */
export async function answerOf(chain: ChainReader, read: Read): Promise<string | undefined> {
  if ('balanceOf' in read) return String(await chain.call('eth_getBalance', [read.balanceOf, 'latest']));
  if ('codeOf' in read) return codeAt(chain, read.codeOf);
  const { to, data, from } = read;
  return ethCall(chain, { to, data, ...compact({ from }) });
}
