import { type Fragment, type FunctionFragment, Interface, ParamType } from 'ethers';
import { interfaceOf as readInterface } from '../../../../core/abi/calls.ts';
import { checkLength, decodeLogValues, decodeValues } from '../../../../core/abi/decode.ts';
import { panicText } from '../../../../core/abi/panics.ts';
import { visible } from '../visible.ts';
import { standardAbis } from './standardAbis.ts';

/** A value of the ABI, as it is shown. */
export interface Shown {
  name: string;
  type: string;
  /** Absent where there are parts. */
  text?: string;
  parts?: Shown[];
}

export interface Decoded {
  /** The name of the function, event or error. */
  name: string;
  signature: string;
  values: Shown[];
  /** Whether only the ABI of a well-known interface fits: the names may be others. */
  isGuess: boolean;
}

export type Abi = readonly unknown[];
const interfaces = new WeakMap<Abi, Interface>();

/** The interface of an ABI; entries that ethers does not understand are left out. */
export function interfaceOf(abi: Abi): Interface {
  const known = interfaces.get(abi) ?? readInterface(abi);
  interfaces.set(abi, known);
  return known;
}

const standard = standardAbis.map((abi) => new Interface(abi));

/** The first answer of the given ABIs, or of the well-known ones. */
function firstOf(
  abis: readonly (Abi | undefined)[],
  decode: (one: Interface) => Omit<Decoded, 'isGuess'> | null | undefined,
): Decoded | undefined {
  const own = abis.flatMap((abi) => (abi ? interfaceOf(abi) : []));
  for (const [isGuess, all] of [
    [false, own],
    [true, standard],
  ] as const) {
    for (const one of all) {
      const found = tried(() => decode(one));
      if (found) return { ...found, isGuess };
    }
  }
  return undefined;
}

/** What the work answers; undefined where it throws, as ethers does for what does not fit. */
export function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The call that the input of a transaction is. */
export function decodeInput(input: string, ...abis: (Abi | undefined)[]): Decoded | undefined {
  if (input.length < 10) return undefined;
  return firstOf(abis, (one) => {
    const found = one.getFunction(input.slice(0, 10));
    return found && described(found, decodeValues(found.inputs, `0x${input.slice(10)}`));
  });
}

/** The name of the function with this selector, in an ABI or the well-known ones. */
export function functionName(selector: string, abi: Abi | undefined): string | undefined {
  const all = [...(abi ? [interfaceOf(abi)] : []), ...standard];
  return all.map((one) => tried(() => one.getFunction(selector)?.name)).find(Boolean);
}

export function decodeLog(
  log: { topics: readonly string[]; data: string },
  ...abis: (Abi | undefined)[]
): Decoded | undefined {
  const [topic] = log.topics;
  if (topic === undefined) return undefined;
  return firstOf(abis, (one) => {
    const found = one.getEvent(topic);
    return found && described(found, decodeLogValues(found, log));
  });
}

/** What a call returned. Throws Error, in words for the user, for other data. */
export function decodeOutput({ outputs }: FunctionFragment, data: string): Shown[] {
  checkLength(data);
  const values = decodeValues(outputs, data);
  if (values) return shownAll(outputs, values);
  throw new Error(`it is not ${outputs.map((one) => one.format('sighash')).join(', ')}`);
}

/** Why a call reverted, from the data that it returned; undefined if that does not say it. */
export function revertReason(data: string | undefined, ...abis: (Abi | undefined)[]): string | undefined {
  if (data === undefined || data.length < 10) return undefined;
  const [selector, rest] = [data.slice(0, 10), `0x${data.slice(10)}`];
  const builtIn = (type: string) => decodeValues([ParamType.from(type)], rest)?.map(textOf)[0];
  if (selector === '0x08c379a0') return builtIn('string');
  if (selector === '0x4e487b71') {
    const code = builtIn('uint256');
    return code === undefined ? undefined : `Panic: ${panicText(BigInt(code))}`;
  }
  const found = firstOf(abis, (one) => {
    const error = one.getError(selector);
    return error && described(error, decodeValues(error.inputs, rest));
  });
  return found && `${found.name}(${found.values.map(oneLine).join(', ')})`;
}

/** A value on one line. */
export function oneLine({ text, parts }: Shown): string {
  return text ?? `[${(parts ?? []).map(oneLine).join(', ')}]`;
}

function described(
  fragment: Fragment & { name: string },
  values: readonly unknown[] | undefined,
): Omit<Decoded, 'isGuess'> | undefined {
  if (!values) return undefined;
  return {
    name: fragment.name,
    signature: fragment.format('sighash'),
    values: shownAll(fragment.inputs, values),
  };
}

/** Values with their names and types. */
export function shownAll(types: readonly ParamType[], values: readonly unknown[]): Shown[] {
  const nameOf = (index: number) => (types.length === 1 ? '' : String(index));
  return types.map((type, index) => shown(type, values[index], type.name || nameOf(index)));
}

/** The members of a struct are shown with it. */
function shortType({ type, arrayChildren, arrayLength, components }: ParamType): string {
  if (arrayChildren)
    return `${shortType(arrayChildren)}[${arrayLength === null || arrayLength < 0 ? '' : arrayLength}]`;
  return components ? 'struct' : type;
}

function shown(type: ParamType, value: unknown, name: string): Shown {
  const common = { name, type: shortType(type) };
  const children = type.arrayChildren;
  if (children && Array.isArray(value)) {
    return { ...common, parts: value.map((one, index) => shown(children, one, String(index))) };
  }
  if (type.components && Array.isArray(value)) {
    const parts = type.components.map((one, index) => shown(one, value[index], one.name || String(index)));
    return { ...common, parts };
  }
  return { ...common, text: textOf(value) };
}

/** An indexed text or array is in a log by its hash alone. */
function textOf(value: unknown): string {
  const isIndexed = typeof value === 'object' && value !== null && 'hash' in value;
  return isIndexed ? `hash ${String(value.hash)}` : visible(String(value));
}
