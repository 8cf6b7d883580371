import type { ParamType } from 'ethers';

/** The value that a text of the command line or a form means for a type of an ABI. Throws Error that names the argument. */
export function argumentOf(type: ParamType, text: string, index: number): unknown {
  const name = type.name || `argument ${index + 1}`;
  const given = text.trim();
  if (type.arrayChildren || type.components) return listOf(given, name, type.type);
  if (type.type === 'string') return text;
  if (type.type === 'bool') return booleanOf(given, name);
  if (/^u?int/.test(type.type)) return wholeOf(given, name, type.type);
  if (/^0x([0-9a-f]{2})*$/i.test(given)) return given;
  const form =
    type.type === 'address' ? '0x and 40 hexadecimal digits' : '0x and an even number of hexadecimal digits';
  throw new Error(`${name} is ${type.type}: use ${form}`);
}

function booleanOf(given: string, name: string): boolean {
  if (given === 'true' || given === 'false') return given === 'true';
  throw new Error(`${name} is bool: use true or false`);
}

function wholeOf(given: string, name: string, type: string): bigint {
  if (/^-?\d+$|^0x[0-9a-f]+$/i.test(given)) return BigInt(given);
  throw new Error(`${name} is ${type}: use a whole number`);
}

/** A list or a struct as JSON; long numbers in it keep their digits. */
function listOf(given: string, name: string, type: string): unknown {
  try {
    const quoted = given.replaceAll(
      // A text without an end goes to the end of all, so that no other one is looked for in it.
      /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|(-?\d{16,})/g,
      (_all, string, digits) => string ?? `"${digits}"`,
    );
    const value: unknown = JSON.parse(quoted);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new Error(`${name} is ${type}: use JSON such as [1, 2], with texts and addresses in quotes`);
}
