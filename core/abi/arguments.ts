import { isAddress, type ParamType } from 'ethers';

/** A value that a text or a JSON document gives for a type, and where it stands: `p.owners[1]`. */
interface Given {
  value: unknown;
  name: string;
}

/** The value that a text of the command line or a form means for a type of an ABI. Throws Error that names the argument. */
export function argumentOf(type: ParamType, text: string, index: number): unknown {
  const name = `argument ${type.name || index + 1}`;
  if (type.type === 'string') return text;
  const value = type.arrayChildren || type.components ? parsed(type, { value: text, name }) : text.trim();
  return readValue(type, { value, name });
}

function readValue(type: ParamType, given: Given): unknown {
  if (type.arrayChildren) return listOf(type, type.arrayChildren, given);
  if (type.components) return membersOf(type, type.components, given);
  const { value } = given;
  if (type.type === 'bool') return booleanOf(given);
  if (type.type === 'string')
    return typeof value === 'string' ? value : refuse(type, given, 'a text in quotes');
  if (/^u?int\d+$/.test(type.type)) return wholeOf(type, given);
  if (type.type === 'address') return addressOf(type, given);
  if (/^bytes\d{0,2}$/.test(type.type)) return bytesOf(type, given);
  throw new Error(`${given.name} is ${type.type}, which is not a type that can be written here`);
}

function refuse(type: ParamType, { name }: Given, form: string): never {
  throw new Error(`${name} is ${type.format('sighash')}: use ${form}`);
}

function booleanOf({ value, name }: Given): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new Error(`${name} is bool: use true or false`);
}

function wholeOf(type: ParamType, given: Given): bigint {
  const { value } = given;
  const isWhole =
    typeof value === 'string' ? /^-?\d+$|^0x[0-9a-f]+$/i.test(value) : Number.isSafeInteger(value);
  if (!isWhole) refuse(type, given, 'a whole number');
  const number = BigInt(String(value));
  const bits = Number(type.type.replace(/^u?int/, ''));
  const isSigned = type.type.startsWith('int');
  const power = isSigned ? bits - 1 : bits;
  const [least, end] = [isSigned ? -(2n ** BigInt(power)) : 0n, 2n ** BigInt(power)];
  if (number >= least && number < end) return number;
  return refuse(type, given, `a whole number from ${isSigned ? `-2^${power}` : '0'} to 2^${power}-1`);
}

function addressOf(type: ParamType, given: Given): string {
  const { value } = given;
  if (typeof value !== 'string' || !/^0x[0-9a-f]{40}$/i.test(value)) {
    return refuse(type, given, '0x and 40 hexadecimal digits');
  }
  if (isAddress(value)) return value;
  throw new Error(
    `${given.name} is an address with a wrong checksum: check it, or write it in small letters`,
  );
}

function bytesOf(type: ParamType, given: Given): string {
  const { value } = given;
  const digits = Number(type.type.slice('bytes'.length)) * 2;
  const isHex = typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
  if (isHex && (digits === 0 || value.length === digits + 2)) return value;
  return refuse(type, given, `0x and ${digits === 0 ? 'an even number of' : digits} hexadecimal digits`);
}

function listOf(type: ParamType, children: ParamType, given: Given): unknown[] {
  const { value, name } = given;
  if (!Array.isArray(value)) return refuse(type, given, jsonForm);
  const length = type.arrayLength ?? -1;
  if (length >= 0 && value.length !== length) {
    throw new Error(`${name} is ${type.format('sighash')}: it takes ${length} values, not ${value.length}`);
  }
  return value.map((one, index) => readValue(children, { value: one, name: `${name}[${index}]` }));
}

/** The members of a struct in their order, from a list of them or from an object. */
function membersOf(type: ParamType, members: readonly ParamType[], given: Given): unknown[] {
  const { value, name } = given;
  const places = members.map((one, index) => one.name || String(index));
  const what = `${name} has the members ${places.join(', ')}`;
  if (typeof value !== 'object' || value === null) return refuse(type, given, jsonForm);
  if (Array.isArray(value) && value.length !== members.length) {
    throw new Error(`${what}: the list has ${value.length} values, not ${members.length}`);
  }
  const inner = new Map<string, unknown>(
    Array.isArray(value) ? value.map((one, index) => [places[index] ?? '', one]) : Object.entries(value),
  );
  const unknown = [...inner.keys()].find((one) => !places.includes(one));
  if (unknown !== undefined) throw new Error(`${what}: "${unknown}" is none of them`);
  const missing = places.find((one) => !inner.has(one));
  if (missing !== undefined) throw new Error(`${what}: "${missing}" is missing`);
  return members.map((one, index) => {
    const place = places[index] ?? '';
    return readValue(one, { value: inner.get(place), name: `${name}.${place}` });
  });
}

const jsonForm = 'JSON such as [1, 2], with texts and addresses in quotes';

/** A list or a struct as JSON; long numbers in it keep their digits. */
function parsed(type: ParamType, { value, name }: { value: string; name: string }): unknown {
  const quoted = value.trim().replaceAll(
    // A text without an end goes to the end of all, so that no other one is looked for in it.
    /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|(-?\d{16,})/g,
    (_all, string, digits) => string ?? `"${digits}"`,
  );
  try {
    return JSON.parse(quoted);
  } catch {
    return refuse(type, { value, name }, jsonForm);
  }
}
