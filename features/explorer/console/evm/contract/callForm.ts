import type { FunctionFragment, ParamType } from 'ethers';
import { type Abi, interfaceOf } from '../abi.ts';
import { argumentOf } from './argument.ts';

/** A function that a form can call. */
export interface Callable {
  /** Its name and the types of its inputs, which are its own in the contract. */
  signature: string;
  isRead: boolean;
  isPayable: boolean;
  fragment: FunctionFragment;
}

/** The functions of a contract by name. With the code, only those whose selectors are in it. */
export function callablesOf(abi: Abi, code?: string): Callable[] {
  const all: Callable[] = [];
  interfaceOf(abi).forEachFunction((fragment) => {
    if (code !== undefined && !code.includes(fragment.selector.slice(2))) return;
    const isRead = fragment.stateMutability === 'view' || fragment.stateMutability === 'pure';
    all.push({ signature: fragment.format('sighash'), isRead, isPayable: fragment.payable, fragment });
  });
  return all.sort((a, b) => (a.signature < b.signature ? -1 : 1));
}

export type Parsed = { values: unknown[] } | { errors: Record<number, string> };

/** The values of what was typed for each input; or what is wrong with it, by input. */
export function argumentsOf(inputs: readonly ParamType[], texts: readonly string[]): Parsed {
  const errors: Record<number, string> = {};
  const values = inputs.map((type, index) => {
    const found = argumentOf(type, texts[index] ?? '');
    if ('error' in found) errors[index] = found.error;
    return 'error' in found ? undefined : found.value;
  });
  return Object.keys(errors).length > 0 ? { errors } : { values };
}
