import { AbiCoder, Interface } from 'ethers';
import type { Abi } from './calls.ts';

/** Why a call reverted, from the data that it returned and the contract's own errors; undefined if that does not say it. */
export function revertReason(data: unknown, abi: Abi = []): string | undefined {
  if (typeof data !== 'string' || !/^0x[0-9a-f]{8,}$/i.test(data)) return undefined;
  try {
    const coder = AbiCoder.defaultAbiCoder();
    const rest = `0x${data.slice(10)}`;
    if (data.startsWith('0x08c379a0')) return String(coder.decode(['string'], rest)[0]);
    if (data.startsWith('0x4e487b71')) return `panic ${coder.decode(['uint256'], rest)[0]}`;
    const found = new Interface(JSON.stringify(abi)).parseError(data);
    return found ? `${found.name}(${found.args.map(String).join(', ')})` : undefined;
  } catch {
    return undefined;
  }
}
