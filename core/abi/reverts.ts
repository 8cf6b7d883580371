import { AbiCoder } from 'ethers';
import { type Abi, interfaceOf } from './calls.ts';
import { isDecodable, isShortEnough } from './decodable.ts';
import { panicText } from './panics.ts';
import { plainValues } from './values.ts';

/**
 * Why a call reverted, from the data that it returned, or that a node has put into an object, and from the contract's own errors;
 * undefined if that does not say it.
 */
export function revertReason(given: unknown, abi: Abi = []): string | undefined {
  const data = dataIn(given);
  if (data === undefined || !isShortEnough(data)) return undefined;
  try {
    const coder = AbiCoder.defaultAbiCoder();
    const rest = `0x${data.slice(10)}`;
    if (data.startsWith('0x08c379a0')) return String(coder.decode(['string'], rest)[0]);
    if (data.startsWith('0x4e487b71')) return `panic: ${panicText(coder.decode(['uint256'], rest)[0])}`;
    const known = interfaceOf(abi);
    const found = known.getError(data.slice(0, 10));
    if (!found || !isDecodable(found.inputs, rest)) return undefined;
    const values = plainValues(found.inputs, known.decodeErrorResult(found, data));
    return `${found.name}(${values.map(oneLine).join(', ')})`;
  } catch {
    return undefined;
  }
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
