import { isAddress, type ParamType } from 'ethers';

/** What is wrong with a value that was given for a type. */
export type Fault =
  | {
      kind: 'json' | 'list' | 'text' | 'boolean' | 'whole' | 'address' | 'checksum' | 'unwritable';
    }
  /** Beyond the least or the largest: 2 to this power, and its negative if the type has a sign. */
  | { kind: 'range'; isSigned: boolean; power: number }
  /** Hexadecimal digits; 0: any even number of them. */
  | { kind: 'bytes'; digits: number }
  | { kind: 'length'; wanted: number; given: number }
  | { kind: 'many'; most: number }
  | { kind: 'struct'; members: readonly string[] }
  | { kind: 'count'; members: readonly string[]; given: number }
  | { kind: 'unknown' | 'missing'; members: readonly string[]; member: string };

/** A value, and where it stands in what was given: `.owners[1]`. */
interface Given {
  type: ParamType;
  value: unknown;
  path: string;
  /** How many values there may still be, in all that was given. */
  room: { values: number };
}

/** ethers encodes lists of lists in a time that grows with the square of their number. */
const maxValues = 2048;

/** A number of more characters fits no type. */
const maxDigits = 80;

/** The error that says what is wrong, in the words of whoever asked for the value. */
export type Complain = (fault: Fault, given: Pick<Given, 'type' | 'path'>) => Error;

/**
 * The value that a text means for a type of an ABI: lists and structs are JSON, structs as objects or as lists. Throws what `complain`
 * makes of the first fault.
 */
export function argumentValue(type: ParamType, text: string, complain: Complain): unknown {
  if (type.type === 'string') return text;
  const isJson = type.arrayChildren || type.components;
  const value = isJson ? parsed(type, text, complain) : text.trim();
  return readValue({ type, value, path: '', room: { values: maxValues } }, complain);
}

/** Long numbers keep their digits. */
function parsed(type: ParamType, text: string, complain: Complain): object {
  const quoted = text.trim().replaceAll(
    // A text without an end goes to the end of all, so that no other one is looked for in it.
    /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|(-?\d{16,})/g,
    (_all, string, digits) => string ?? `"${digits}"`,
  );
  try {
    const value: unknown = JSON.parse(quoted);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // As what is not a list or an object.
  }
  throw complain({ kind: 'json' }, { type, path: '' });
}

function readValue(given: Given, complain: Complain): unknown {
  const { type, value, room } = given;
  room.values -= 1;
  if (room.values < 0) throw complain({ kind: 'many', most: maxValues }, { type, path: '' });
  if (type.arrayChildren) return listOf(type.arrayChildren, given, complain);
  if (type.components) return membersOf(type.components, given, complain);
  if (type.type === 'bool') return booleanOf(given, complain);
  if (/^u?int\d+$/.test(type.type)) return wholeOf(given, complain);
  if (type.type === 'address') return addressOf(given, complain);
  if (/^bytes\d{0,2}$/.test(type.type)) return bytesOf(given, complain);
  if (type.type !== 'string') throw complain({ kind: 'unwritable' }, given);
  if (typeof value === 'string') return value;
  throw complain({ kind: 'text' }, given);
}

function booleanOf(given: Given, complain: Complain): boolean {
  if (given.value === true || given.value === 'true') return true;
  if (given.value === false || given.value === 'false') return false;
  throw complain({ kind: 'boolean' }, given);
}

function wholeOf(given: Given, complain: Complain): bigint {
  const { type, value } = given;
  const isWhole =
    typeof value === 'string' ? /^-?\d+$|^0x[0-9a-f]+$/i.test(value) : Number.isSafeInteger(value);
  if (!isWhole) throw complain({ kind: 'whole' }, given);
  const text = String(value);
  const number = text.length > maxDigits ? 2n ** 256n : BigInt(text);
  const isSigned = type.type.startsWith('int');
  const power = Number(type.type.replace(/^u?int/, '')) - (isSigned ? 1 : 0);
  const [least, end] = [isSigned ? -(2n ** BigInt(power)) : 0n, 2n ** BigInt(power)];
  if (number >= least && number < end) return number;
  throw complain({ kind: 'range', isSigned, power }, given);
}

function addressOf(given: Given, complain: Complain): string {
  const { value } = given;
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value))
    throw complain({ kind: 'address' }, given);
  if (isAddress(value)) return value;
  throw complain({ kind: 'checksum' }, given);
}

function bytesOf(given: Given, complain: Complain): string {
  const { type, value } = given;
  const digits = Number(type.type.slice('bytes'.length)) * 2;
  const isHex = typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
  if (isHex && (digits === 0 || value.length === digits + 2)) return value;
  throw complain({ kind: 'bytes', digits }, given);
}

function listOf(children: ParamType, given: Given, complain: Complain): unknown[] {
  const { type, value, path, room } = given;
  if (!Array.isArray(value)) throw complain({ kind: 'list' }, given);
  const wanted = type.arrayLength ?? -1;
  if (wanted >= 0 && value.length !== wanted)
    throw complain({ kind: 'length', wanted, given: value.length }, given);
  return value.map((one, index) =>
    readValue({ type: children, value: one, path: `${path}[${index}]`, room }, complain),
  );
}

/** The members of a struct in their order. */
function membersOf(types: readonly ParamType[], given: Given, complain: Complain): unknown[] {
  const { value, path, room } = given;
  const members = types.map((one, index) => one.name || String(index));
  if (typeof value !== 'object' || value === null) throw complain({ kind: 'struct', members }, given);
  if (Array.isArray(value) && value.length !== members.length)
    throw complain({ kind: 'count', members, given: value.length }, given);
  const inner = new Map<string, unknown>(
    Array.isArray(value) ? value.map((one, index) => [members[index] ?? '', one]) : Object.entries(value),
  );
  const known = new Set(members);
  const unknown = [...inner.keys()].find((one) => !known.has(one));
  if (unknown !== undefined) throw complain({ kind: 'unknown', members, member: unknown }, given);
  const missing = members.find((one) => !inner.has(one));
  if (missing !== undefined) throw complain({ kind: 'missing', members, member: missing }, given);
  return types.map((type, index) => {
    const member = members[index] ?? '';
    return readValue({ type, value: inner.get(member), path: `${path}.${member}`, room }, complain);
  });
}
