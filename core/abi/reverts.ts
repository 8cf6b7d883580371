import { ParamType } from 'ethers';
import { type Abi, interfaceOf } from './calls.ts';
import { decodeValues } from './decode.ts';
import { panicText } from './panics.ts';
import { plainValues } from './values.ts';

/**
 * Why a call reverted, from the data that it returned, or that a node has put into an object, and from the contract's own errors;
 * undefined if that does not say it.
 */
export function revertReason(given: unknown, abi: Abi = []): string | undefined {
  const data = dataIn(given);
  if (data === undefined) return undefined;
  const rest = `0x${data.slice(10)}`;
  const one = (type: string) => decodeValues([ParamType.from(type)], rest)?.[0];
  if (data.startsWith('0x08c379a0')) return one('string') as string | undefined;
  if (data.startsWith('0x4e487b71')) {
    const code = one('uint256') as bigint | undefined;
    return code === undefined ? undefined : `panic: ${panicText(code)}`;
  }
  const found = interfaceOf(abi).getError(data.slice(0, 10));
  const values = found && decodeValues(found.inputs, rest);
  return values ? `${found.name}(${plainValues(found.inputs, values).map(oneLine).join(', ')})` : undefined;
}

/** The data of a revert, wherever the node puts it. */
function dataIn(given: unknown): string | undefined {
  if (typeof given === 'string') return /^0x[0-9a-f]{8,}$/i.test(given) ? given : undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  const inner = 'data' in given ? given.data : 'result' in given ? given.result : undefined;
  return typeof inner === 'string' ? dataIn(inner) : undefined;
}

const oneLine = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
