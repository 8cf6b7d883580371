import type { ParamType } from 'ethers';
import type { IndexedValue } from './decode.ts';

/** Decoded values (core/abi/decode.ts) as JSON can hold them: numbers as text, structs as objects. */
export function plainValues(types: readonly ParamType[], values: readonly unknown[]): unknown[] {
  return types.map((type, index) => plainValue(type, values[index]));
}

/** The same as an object, by the names of the types, or their positions where they have none. */
export function plainMembers(
  types: readonly ParamType[],
  values: readonly unknown[],
): Record<string, unknown> {
  const plain = plainValues(types, values);
  return Object.fromEntries(types.map(({ name }, index) => [name || String(index), plain[index]]));
}

function plainValue(type: ParamType, value: unknown): unknown {
  const children = type.arrayChildren;
  if (children && Array.isArray(value)) return value.map((one) => plainValue(children, one));
  if (type.components && Array.isArray(value)) {
    const members = type.components.map((one, index) => [
      one.name || String(index),
      plainValue(one, value[index]),
    ]);
    return Object.fromEntries(members);
  }
  if (isIndexed(value)) return value.hash;
  return typeof value === 'bigint' ? value.toString() : value;
}

const isIndexed = (value: unknown): value is IndexedValue =>
  typeof value === 'object' && value !== null && 'hash' in value;
