import { AbiCoder, type EventFragment, type ParamType } from 'ethers';

const maxBytes = 64 * 1024;
const wordBytes = 32;
/** Elements of arrays that are prepared for one value: each takes a microsecond or two. */
const maxPrepared = 2 ** 17;

/*
 * ethers copies all of the data for each word that it reads. By default it reads a word again for each of 1,024 offsets that name
 * it; data of an encoder names each once.
 */
AbiCoder._setDefaultMaxInflation(2);

/**
 * Whether data of these types is decoded, if both may be made by somebody else. Work on longer data would keep a process, or a tab, busy
 * for seconds, and so would arrays of a fixed length that the data is too short for, because ethers prepares each element first.
 */
export const isDecodable = (types: readonly ParamType[], data: string): boolean =>
  faultOf(types, data) === undefined;

/** The same of the data of a log, which has the inputs that are not indexed; an anonymous event has no topic that tells it apart. */
export function isLogDecodable({ anonymous, inputs }: EventFragment, data: string): boolean {
  const inData = inputs.filter(({ indexed }) => !indexed);
  return !anonymous && isDecodable(inData, data);
}

/** The same of data whose types are not known yet. */
export const isShortEnough = (data: string): boolean => isDecodable([], data);

/** Throws Error, in words for the user, where data is not decoded. */
export function checkDecodable(types: readonly ParamType[], data: string): void {
  const fault = faultOf(types, data);
  if (fault !== undefined) throw new Error(fault);
}

function faultOf(types: readonly ParamType[], data: string): string | undefined {
  const bytes = (data.length - 2) / 2;
  if (bytes > maxBytes) return `it has more than ${maxBytes / 1024} KiB, which are not decoded`;
  const words = Math.max(1, bytes / wordBytes);
  if (types.some((type) => largestIn(type) > words)) return 'it is shorter than the type says';
  const isTooMuch = types.some((type) => repeatedIn(type) * words > maxPrepared);
  return isTooMuch ? 'its type has arrays of a fixed length in lists: too many to decode' : undefined;
}

/** The words of the largest value of a fixed size within a type. */
function largestIn(type: ParamType): number {
  return Math.max(wordsOf(type), ...innerOf(type).map(largestIn));
}

/** The same of what is prepared again for each element of a list, of which many may name the same data. */
function repeatedIn(type: ParamType): number {
  return Math.max(0, ...innerOf(type).map(isList(type) ? largestArrayIn : repeatedIn));
}

function largestArrayIn(type: ParamType): number {
  const own = type.arrayChildren && !isList(type) ? wordsOf(type) : 0;
  return Math.max(own, ...innerOf(type).map(largestArrayIn));
}

/** The words that a value of a type has at least: one for what has no fixed size. */
function wordsOf(type: ParamType): number {
  const { arrayChildren, arrayLength, components } = type;
  if (arrayChildren) return isList(type) ? 1 : Number(arrayLength) * wordsOf(arrayChildren);
  const words = (components ?? []).map(wordsOf).reduce((sum, one) => sum + one, 0);
  return Math.max(1, words);
}

const isList = ({ arrayChildren, arrayLength }: ParamType): boolean =>
  arrayChildren !== null && (arrayLength ?? -1) < 0;

const innerOf = ({ arrayChildren, components }: ParamType): readonly ParamType[] => [
  ...(arrayChildren ? [arrayChildren] : []),
  ...(components ?? []),
];
