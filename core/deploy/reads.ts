import type { ChainReader } from '../evm/chainReader.ts';
import { decodeOne, encodeCall, ethCall, type FunctionCall } from '../evm/contractCalls.ts';
import { compact } from '../lib/compact.ts';
import type { CallRead, Read } from './step.ts';

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
    isMet: (result) => decodeOne(call, result, (value) => BigInt(String(value)) >= minimum) ?? false,
  };
}

/** The result of a read; undefined when the call reverted. */
export async function answerOf(chain: ChainReader, read: Read): Promise<string | undefined> {
  if ('balanceOf' in read) return String(await chain.call('eth_getBalance', [read.balanceOf, 'latest']));
  const { to, data, from } = read;
  return ethCall(chain, { to, data, ...compact({ from }) });
}
