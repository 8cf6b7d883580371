import { z } from 'zod';
import { weiIn } from '../core/abi/amount.ts';
import { abiIn } from '../core/abi/artifact.ts';
import type { Abi } from '../core/abi/calls.ts';
import { maxDeclaration } from '../core/abi/declarations.ts';
import { nameInput } from './find.ts';
import type { ToolContext } from './tool.ts';

/** What models write for values of contracts: texts, and as often JSON. */

/** As long as a request may be: what is made of it has bounds of its own. */
export const textInput = z.string().max(256 * 1024);

/** A function or an event with its types. */
export const declarationInput = z.string().min(1).max(maxDeclaration);

const argSchema = z.union([
  textInput,
  z.number(),
  z.boolean(),
  z.array(z.unknown()),
  z.record(nameInput, z.unknown()),
]);

export const argsInput = z
  .array(argSchema)
  .default([])
  .describe('As text or JSON; numbers of more than 15 digits as text.');

export const functionInput = declarationInput.describe(
  'balanceOf(address)(uint256), transfer(address,uint256), or a name alone if the contract is verified or abi is given.',
);

export const amountInput = z
  .union([nameInput, z.int().min(0)])
  .describe('Wei, or such as 2gwei or 0.5ether.');

const abiSchema = z.union([z.array(z.record(nameInput, z.unknown())), textInput]);
export const abiInput = abiSchema.describe('ABI of the contract, as JSON or its text.');

/** Arguments as texts. Throws Error for a number whose digits are lost. */
export function argTexts(args: z.output<typeof argsInput>): string[] {
  return args.map((arg, index) => {
    checkNumbers(arg, `args.${index}`);
    return typeof arg === 'string' ? arg : JSON.stringify(arg);
  });
}

/** Also of those in lists and structs: nobody can tell afterwards that they were others. */
function checkNumbers(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error(`${path} is not a whole number that JSON can hold: write it as text`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value)) checkNumbers(inner, `${path}.${member}`);
}

/** An amount in wei, in digits. Throws Error for any other text. */
export function weiOf(amount: string | number, name: string): string {
  const wei = weiIn(String(amount));
  if (wei !== undefined) return wei;
  throw new Error(`${name} "${amount}" is not an amount: write wei, or such as 2gwei or 0.5ether`);
}

/** The ABI that was given. Throws Error for a text that has none. */
export function abiOf(given: z.output<typeof abiSchema>): Abi {
  const abi = typeof given === 'string' ? abiIn(parsed(given)) : given;
  if (abi) return abi;
  throw new Error('abi is not an ABI: write the list of what the contract has, as JSON');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Known {
  address: string;
  abi: z.output<typeof abiInput> | undefined;
  /** Whether the text of what is called says everything: then only an ABI that was given is of use. */
  isSpelledOut?: boolean;
}

/** The ABI that was given, or that the service knows for a contract, where one is needed. */
export async function neededAbi(
  { client }: ToolContext,
  id: string,
  { address, abi, isSpelledOut = false }: Known,
): Promise<Abi | undefined> {
  if (abi !== undefined) return abiOf(abi);
  return isSpelledOut ? undefined : client.chain?.knownAbi(id, address);
}
