import { AbiCoder, type ParamType } from 'ethers';

const maxBytes = 64 * 1024;
const wordBytes = 32;

/*
 * ethers copies all of the data for each word that it reads. By default it reads a word again for each of 1,024 offsets that name it; data of
 * an encoder names each once.
 */
AbiCoder._setDefaultMaxInflation(2);

/**
 * Whether data of these types is decoded, if both may be made by somebody else. Work on longer data would keep a process, or a tab, busy
 * for seconds, and so would arrays of a fixed length that the data is too short for, because ethers prepares each element first.
 */
export const isDecodable = (types: readonly ParamType[], data: string): boolean =>
  faultOf(types, data) === undefined;

/** Throws Error, in words for the user, where data is not decoded. */
export function checkDecodable(types: readonly ParamType[], data: string): void {
  const fault = faultOf(types, data);
  if (fault !== undefined) throw new Error(fault);
}

function faultOf(types: readonly ParamType[], data: string): string | undefined {
  const bytes = (data.length - 2) / 2;
  if (bytes > maxBytes) return `it has more than ${maxBytes / 1024} KiB, which are not decoded`;
  const isFitting = types.every((type) => largestIn(type) * wordBytes <= Math.max(bytes, wordBytes));
  return isFitting ? undefined : 'it is shorter than the type says';
}

/** The words of the largest value of a fixed size within a type. */
function largestIn(type: ParamType): number {
  const inner = [...(type.arrayChildren ? [type.arrayChildren] : []), ...(type.components ?? [])];
  return Math.max(wordsOf(type), ...inner.map(largestIn));
}

/** The words that a value of a type has at least: one for what has no fixed size. */
function wordsOf({ arrayChildren, arrayLength, components }: ParamType): number {
  if (arrayChildren) return (arrayLength ?? -1) < 0 ? 1 : Number(arrayLength) * wordsOf(arrayChildren);
  return components ? components.reduce((sum, one) => sum + wordsOf(one), 0) : 1;
}
