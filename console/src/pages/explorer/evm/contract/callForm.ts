import type { FunctionFragment, ParamType } from 'ethers';
import { type Abi, interfaceOf } from '../abi.ts';

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

export type Parsed = { data: string } | { errors: Record<number, string> };

/** The data of a call with what was typed for each input; or what is wrong with it, by input. */
export function callData(abi: Abi, { fragment }: Callable, texts: readonly string[]): Parsed {
  const errors: Record<number, string> = {};
  const values = fragment.inputs.map((type, index) => {
    const parsed = parsedValue(type, texts[index] ?? '');
    if ('error' in parsed) errors[index] = parsed.error;
    return 'error' in parsed ? undefined : parsed.value;
  });
  if (Object.keys(errors).length > 0) return { errors };
  for (const [index, type] of fragment.inputs.entries()) {
    const problem = encodingProblem(abi, type, values[index]);
    if (problem) errors[index] = problem;
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { data: interfaceOf(abi).encodeFunctionData(fragment, values) };
}

type Value = { value: unknown } | { error: string };

function parsedValue(type: ParamType, text: string): Value {
  const given = text.trim();
  if (type.arrayChildren || type.components) return listOf(given);
  if (type.type === 'string') return { value: text };
  if (type.type === 'bool') {
    return given === 'true' || given === 'false'
      ? { value: given === 'true' }
      : { error: 'Use true or false.' };
  }
  if (/^u?int/.test(type.type)) {
    return /^-?\d+$|^0x[0-9a-f]+$/i.test(given)
      ? { value: BigInt(given) }
      : { error: 'Use a whole number, in smallest units.' };
  }
  return /^0x([0-9a-f]{2})*$/i.test(given) ? { value: given } : { error: hexProblem(type.type) };
}

function hexProblem(type: string): string {
  return type === 'address' ? 'Use an address: 0x and 40 digits.' : 'Use 0x and an even number of digits.';
}

/** A list or a struct as JSON; long numbers in it keep their digits. */
function listOf(text: string): Value {
  try {
    const quoted = text.replaceAll(
      // A text without an end goes to the end of all, so that no other one is looked for in it.
      /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|(-?\d{16,})/g,
      (_all, string, digits) => string ?? `"${digits}"`,
    );
    const value: unknown = JSON.parse(quoted);
    if (typeof value === 'object' && value !== null) return { value };
  } catch {
    // Said below.
  }
  return { error: 'Use a JSON array, for example [1, 2], with texts and addresses in quotes.' };
}

/** What ethers says against a value. */
function encodingProblem(abi: Abi, type: ParamType, value: unknown): string | undefined {
  try {
    interfaceOf(abi).getAbiCoder().encode([type], [value]);
    return undefined;
  } catch {
    return `This is not a ${type.type}.`;
  }
}
