import type { Interface } from 'ethers';
import { decodeValues } from '../abi/decode.ts';
import { plainValues } from '../abi/values.ts';
import { AppError } from '../lib/errors.ts';
import type { ChainReader } from './chainReader.ts';

/** One function of one contract, with its arguments. */
export interface FunctionCall {
  to: string;
  abi: Interface;
  name: string;
  args?: readonly unknown[];
}

export function encodeCall({ abi, name, args = [] }: FunctionCall): string {
  return abi.encodeFunctionData(name, [...args]);
}

/**
 * The first return value of the function: a number as text, a struct as an object. Undefined when there is none, and when a contract
 * returned something else.
 */
export function decodeOne(
  { abi, name }: Pick<FunctionCall, 'abi' | 'name'>,
  result: string | undefined,
): unknown {
  const outputs = abi.getFunction(name)?.outputs ?? [];
  const values = result === undefined ? undefined : decodeValues(outputs, result);
  return values && plainValues(outputs, values)[0];
}

/** The result of an `eth_call`; undefined when it reverted. Other failures reject. */
export async function ethCall(
  chain: ChainReader,
  call: { to: string; data: string; from?: string },
): Promise<string | undefined> {
  try {
    return String(await chain.call('eth_call', [call, 'latest']));
  } catch (error) {
    if (isRevert(error)) return undefined;
    throw error;
  }
}

/** What `decodeOne` finds in the answer of the function; undefined also when it reverts. */
export async function askValue(chain: ChainReader, call: FunctionCall): Promise<unknown> {
  return decodeOne(call, await ethCall(chain, { to: call.to, data: encodeCall(call) }));
}

/** The same as text, of a function that returns no struct. */
export async function ask(chain: ChainReader, call: FunctionCall): Promise<string | undefined> {
  const value = await askValue(chain, call);
  return value === undefined ? undefined : String(value);
}

/** Deployed code, 0x-prefixed hexadecimal; `0x` when there is none. */
export async function codeAt(chain: ChainReader, address: string): Promise<string> {
  return String(await chain.call('eth_getCode', [address, 'latest']));
}

/** Whether the chain executed the call and it failed, as opposed to a chain that could not be reached. */
export function isRevert(error: unknown): boolean {
  const cause = chainErrorOf(error);
  if (!cause) return false;
  return cause.code === 3 || cause.data !== undefined || /revert/i.test(cause.message ?? '');
}

export interface ChainError {
  code?: number;
  message?: string;
  data?: string;
}

/** The chain's JSON-RPC error, from the cause of an AppError. */
export function chainErrorOf(error: unknown): ChainError | undefined {
  if (!(error instanceof AppError) || typeof error.cause !== 'object' || error.cause === null)
    return undefined;
  const { code, message, data } = error.cause as Record<string, unknown>;
  if (typeof code !== 'number') return undefined;
  return {
    code,
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof data === 'string' ? { data } : {}),
  };
}
