import type { ParamType } from 'ethers';
import { argumentValue, type Complain, type Fault } from '../../../../../core/abi/argumentValues.ts';

/** The value of an argument, or what is wrong with what was typed for it. */
type Argument = { value: unknown } | { error: string };

/** The type of an argument; a struct is written by its members: `(uint256 x, string label)[]`. */
export function typeText({ type, arrayChildren, arrayLength, components }: ParamType): string {
  if (arrayChildren) return `${typeText(arrayChildren)}[${isFixed(arrayLength) ? arrayLength : ''}]`;
  if (!components) return type;
  return `(${components.map((one) => `${typeText(one)} ${one.name}`.trim()).join(', ')})`;
}

/** What a list or a struct looks like in JSON; nothing for what one types as it is. */
export function exampleOf(type: ParamType): string {
  return type.arrayChildren || type.components ? jsonOf(type) : '';
}

function jsonOf(type: ParamType): string {
  const { arrayChildren: child, arrayLength, components } = type;
  if (child)
    return `[${Array(isFixed(arrayLength) ? arrayLength : 1)
      .fill(jsonOf(child))
      .join(', ')}]`;
  if (components) {
    if (components.some(({ name }) => !name)) return `[${components.map(jsonOf).join(', ')}]`;
    return `{${components.map((one) => `"${one.name}": ${jsonOf(one)}`).join(', ')}}`;
  }
  if (type.type === 'bool') return 'true';
  if (type.type === 'string') return '"text"';
  return isInteger(type) ? '1' : '"0x…"';
}

const isFixed = (length: number | null): length is number => length !== null && length >= 0;
const isInteger = ({ type }: ParamType): boolean => /^u?int/.test(type);

/** What a text means for an argument: lists and structs are JSON, and long numbers in it keep their digits. */
export function argumentOf(type: ParamType, text: string): Argument {
  const complain: Complain = (fault, { type: wanted, path }) => {
    const place = path.replace(/^\./, '');
    return new Error(`${place === '' ? '' : `At ${place}: `}${sentenceOf(fault, wanted)}`);
  };
  try {
    return { value: argumentValue(type, text, complain) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const sentences: Readonly<Partial<Record<Fault['kind'], string>>> = {
  list: 'Use a list in brackets: [1, 2].',
  text: 'Use a text in quotes.',
  boolean: 'Use true or false.',
  whole: 'Use a whole number, in smallest units.',
  address: 'Use an address: 0x and 40 digits.',
  checksum: 'A letter of this address is wrong: its large and small letters are a checksum.',
};

function sentenceOf(fault: Fault, type: ParamType): string {
  switch (fault.kind) {
    case 'many':
      return `It has more than ${fault.most} values: use several calls.`;
    case 'json':
      return `Use JSON, for example ${exampleOf(type)}.`;
    case 'struct':
      return `Use an object with ${fault.members.join(', ')}.`;
    case 'range':
      return `${fault.isSigned ? 'An' : 'A'} ${type.type} is ${rangeText(fault)}.`;
    case 'bytes':
      return `Use 0x and ${fault.digits || 'an even number of'} digits.`;
    case 'length':
      return `Give ${fault.wanted} values.`;
    case 'count':
      return `Give ${fault.members.length} values: ${fault.members.join(', ')}.`;
    case 'unknown':
      return `There is no member "${fault.member}", only ${fault.members.join(', ')}.`;
    case 'missing':
      return `The member "${fault.member}" is missing.`;
    default:
      return sentences[fault.kind] ?? `A value of the type ${type.type} cannot be written here.`;
  }
}

/** Up to 64 bits as digits, which one can still read. */
function rangeText({ isSigned, power }: Extract<Fault, { kind: 'range' }>): string {
  const most = 2n ** BigInt(power);
  if (power <= 64) return `from ${isSigned ? -most : 0} to ${most - 1n}`;
  return `from ${isSigned ? `-2^${power}` : 0} to 2^${power} - 1`;
}
