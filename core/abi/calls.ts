import { Fragment, FunctionFragment, Interface, type ParamType } from 'ethers';
import { cut } from '../lib/text/foreignText.ts';
import { argumentOf } from './arguments.ts';
import { checkDeclaration, declarableOf, leftOutOf } from './declarations.ts';
import { checkLength, decodeValues } from './decode.ts';
import { plainValues } from './values.ts';

export type Abi = readonly unknown[];

/** How much of data that is not understood is shown. */
const shownDigits = 200;

/** What an ABI declares. Entries that are none, too deep or too many are left out: the library would print them. */
export function interfaceOf(abi: Abi): Interface {
  return new Interface(declarableOf(abi).flatMap((one) => tried(() => Fragment.from(one)) ?? []));
}

/** A function that can be called. */
export interface Callable {
  /** Its name and the types of its inputs. */
  signature: string;
  isRead: boolean;
  encode(args: readonly string[]): string;
  /** What it returned: numbers as text, structs as objects. One value stands alone. Throws Error for other data. */
  decode(data: string): unknown;
}

/**
 * The function that a text means: `transfer(address,uint256)`, `balanceOf(address)(uint256)` with what it returns, or a complete
 * declaration; a name alone is looked up in the ABI, among those with so many inputs. Throws Error with what to write instead.
 */
export function callableOf(text: string, count: number, abi?: Abi): Callable {
  const fragment = text.includes('(') ? declared(text, abi) : named(text, count, abi);
  const own = new Interface([fragment]);
  return {
    signature: fragment.format('sighash'),
    isRead: fragment.stateMutability === 'view' || fragment.stateMutability === 'pure',
    encode: (args) => own.encodeFunctionData(fragment, argumentsOf(fragment.inputs, args, fragment.name)),
    decode(data) {
      if (fragment.outputs.length === 0) return data === '0x' ? null : data;
      if (data === '0x')
        throw new Error(
          'nothing came back: there is no contract at this address, or it has no such function',
        );
      checkLength(data);
      const decoded = decodeValues(fragment.outputs, data);
      if (!decoded) throw new Error(`it is not ${typesOf(fragment.outputs)}: ${cut(data, shownDigits)}`);
      const values = plainValues(fragment.outputs, decoded);
      return values.length === 1 ? values[0] : values;
    },
  };
}

/** The values of arguments. Throws Error when there are more or fewer than inputs. */
export function argumentsOf(inputs: readonly ParamType[], args: readonly string[], what: string): unknown[] {
  if (args.length !== inputs.length) {
    const wanted = inputs.map((one) => `${one.type} ${one.name}`.trim()).join(', ') || 'none';
    const count = `${inputs.length} ${inputs.length === 1 ? 'argument' : 'arguments'}`;
    throw new Error(`${what} takes ${count} (${wanted}), not ${args.length}`);
  }
  return inputs.map((type, index) => argumentOf(type, args[index] ?? '', index));
}

function declared(text: string, abi?: Abi): FunctionFragment {
  checkDeclaration(text);
  const known = abi && tried(() => interfaceOf(abi).getFunction(text));
  if (known) return known;
  const declaration = text.startsWith('function ') ? text : `function ${withReturns(text)}`;
  const found = tried(() => FunctionFragment.from(declaration));
  if (found) return found;
  throw new Error(
    `"${text}" is not a function: write it as balanceOf(address)(uint256) or transfer(address,uint256)`,
  );
}

const typesOf = (types: readonly ParamType[]) => types.map((one) => one.format('sighash')).join(', ');

/** `f(a)(b)` is what cast takes for `f(a) view returns (b)`. */
function withReturns(text: string): string {
  const end = closingOf(text, text.indexOf('('));
  const rest = text.slice(end + 1).trim();
  return rest.startsWith('(') ? `${text.slice(0, end + 1)} view returns ${rest}` : text;
}

function closingOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function named(name: string, count: number, abi?: Abi): FunctionFragment {
  if (!abi) {
    throw new Error(
      `the contract is not verified: write "${name}" with its types, as balanceOf(address)(uint256), or give its ABI`,
    );
  }
  const all = functionsOf(abi);
  const functions = all.filter((one) => one.name === name);
  const fitting = functions.filter(({ inputs }) => inputs.length === count);
  const [found] = fitting.length > 0 ? fitting : functions;
  if (!found) {
    const known = [...new Set(all.map((one) => one.name))];
    throw new Error(
      `the contract has no function "${name}": it has ${known.join(', ') || 'none'}${leftOutOf(abi)}`,
    );
  }
  if (fitting.length < 2) return found;
  throw new Error(
    `several functions are called "${name}": write ${fitting.map((one) => one.format('sighash')).join(' or ')}`,
  );
}

export function functionsOf(abi: Abi): FunctionFragment[] {
  const all: FunctionFragment[] = [];
  interfaceOf(abi).forEachFunction((one) => all.push(one));
  return all;
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
