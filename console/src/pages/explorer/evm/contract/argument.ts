import { isAddress, type ParamType } from 'ethers';
import { isRecord } from '../../fields.ts';

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
  try {
    if (!type.arrayChildren && !type.components) return { value: single(type, text, '') };
    return { value: memberOf(type, parsed(type, text), '') };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function parsed(type: ParamType, text: string): unknown {
  try {
    const quoted = text.replaceAll(
      // A text without an end goes to the end of all, so that no other one is looked for in it.
      /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|(-?\d{16,})/g,
      (_all, string, digits) => string ?? `"${digits}"`,
    );
    const value: unknown = JSON.parse(quoted);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw problem('', `Use JSON, for example ${exampleOf(type)}.`);
}

const problem = (path: string, text: string) => new Error(path === '' ? text : `At ${path}: ${text}`);

function memberOf(type: ParamType, given: unknown, path: string): unknown {
  if (type.arrayChildren) return listOf(type, given, path);
  if (type.components) return structOf(type.components, given, path);
  return single(type, given, path);
}

function listOf({ arrayChildren: child, arrayLength }: ParamType, given: unknown, path: string): unknown {
  if (!child || !Array.isArray(given)) throw problem(path, 'Use a list in brackets: [1, 2].');
  if (isFixed(arrayLength) && given.length !== arrayLength)
    throw problem(path, `Give ${arrayLength} values.`);
  return given.map((one, index) => memberOf(child, one, `${path}[${index}]`));
}

function structOf(members: readonly ParamType[], given: unknown, path: string): unknown[] {
  const names = members.map(({ name }, index) => name || String(index));
  const at = (index: number) => [path, names[index]].filter(Boolean).join('.');
  if (Array.isArray(given)) {
    if (given.length !== members.length)
      throw problem(path, `Give ${members.length} values: ${names.join(', ')}.`);
    return members.map((member, index) => memberOf(member, given[index], at(index)));
  }
  if (!isRecord(given)) throw problem(path, `Use an object with ${names.join(', ')}.`);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw problem(path, `There is no member "${unknown}", only ${names.join(', ')}.`);
  return members.map((member, index) => {
    const name = names[index] ?? '';
    if (!Object.hasOwn(given, name)) throw problem(path, `The member "${name}" is missing.`);
    return memberOf(member, given[name], at(index));
  });
}

function single(type: ParamType, given: unknown, path: string): unknown {
  if (type.type === 'string') {
    if (typeof given !== 'string') throw problem(path, 'Use a text in quotes.');
    return given;
  }
  const text = String(given).trim();
  if (isInteger(type)) return integerOf(type.type, text, path);
  if (type.type === 'bool') {
    if (text !== 'true' && text !== 'false') throw problem(path, 'Use true or false.');
    return text === 'true';
  }
  return hexOf(type.type, text, path);
}

function integerOf(type: string, text: string, path: string): bigint {
  if (!/^-?\d+$|^0x[0-9a-f]+$/i.test(text)) throw problem(path, 'Use a whole number, in smallest units.');
  const value = BigInt(text);
  const isSigned = type.startsWith('int');
  const bits = BigInt(type.replace(/\D/g, '') || 256) - (isSigned ? 1n : 0n);
  const [least, most] = [isSigned ? -(2n ** bits) : 0n, 2n ** bits - 1n];
  if (value >= least && value <= most) return value;
  const range =
    bits <= 64n ? `from ${least} to ${most}` : `from ${isSigned ? `-2^${bits}` : 0} to 2^${bits} - 1`;
  throw problem(path, `${isSigned ? 'An' : 'A'} ${type} is ${range}.`);
}

function hexOf(type: string, text: string, path: string): string {
  if (type === 'address') {
    if (!/^0x[0-9a-f]{40}$/i.test(text)) throw problem(path, 'Use an address: 0x and 40 digits.');
    if (isAddress(text)) return text;
    throw problem(path, 'A letter of this address is wrong: its large and small letters are a checksum.');
  }
  const digits = 2 * Number(type.replace(/\D/g, ''));
  if (!/^0x([0-9a-f]{2})*$/i.test(text) || (digits > 0 && text.length !== digits + 2)) {
    throw problem(path, `Use 0x and ${digits > 0 ? digits : 'an even number of'} digits.`);
  }
  return text;
}
