import { type EventFragment, getAddress, getBytes, type ParamType } from 'ethers';

/** More data is not decoded: contracts, and whoever calls them, may make any. */
const maxBytes = 64 * 1024;
const wordBytes = 32;

/** Of an indexed value that has no fixed size, or more than one word, a log has the hash alone. */
export interface IndexedValue {
  hash: string;
}

/** Throws Error, in words for the user, where data is too long to decode. */
export function checkLength(data: string): void {
  if (!isShortEnough(data)) throw new Error(`it has more than ${maxBytes / 1024} KiB, which are not decoded`);
}

/** Whether data is short enough to decode. */
const isShortEnough = (data: string): boolean => data.length - 2 <= maxBytes * 2;

/**
 * The values of these types in data: numbers as bigint, addresses with their checksum, lists and structs as arrays. Undefined if it
 * is not data of these types, or too long. The time that it takes grows with the data alone, unlike that of ethers, which copies the data for
 * each list in it. Format: https://docs.soliditylang.org/en/latest/abi-spec.html
 */
export function decodeValues(types: readonly ParamType[], data: string): unknown[] | undefined {
  if (!isShortEnough(data) || !/^0x(?:[0-9a-f]{2})*$/i.test(data)) return undefined;
  try {
    return decoderOf(data.slice(2).toLowerCase()).struct(types, 0);
  } catch {
    return undefined;
  }
}

/** The values of an event in a log. Undefined if it is not its log; an anonymous event has no topic that tells it apart. */
export function decodeLogValues(
  { anonymous, inputs }: EventFragment,
  { topics, data }: { topics: readonly string[]; data: string },
): unknown[] | undefined {
  const indexed = inputs.filter((one) => one.indexed);
  if (anonymous || topics.length !== indexed.length + 1) return undefined;
  const inTopics = indexed.map((type, index) => topicValue(type, topics[index + 1] ?? ''));
  const inData = decodeValues(
    inputs.filter((one) => !one.indexed),
    data,
  );
  if (!inData || inTopics.includes(undefined)) return undefined;
  return inputs.map((one) => (one.indexed ? inTopics : inData).shift());
}

function topicValue(type: ParamType, topic: string): unknown {
  const isHash = type.arrayChildren || type.components || isDynamic(type);
  return isHash ? ({ hash: topic } satisfies IndexedValue) : decodeValues([type], topic)?.[0];
}

interface Decoder {
  struct(types: readonly ParamType[], at: number): unknown[];
}

/** Reads digits without 0x. Positions are bytes. Its functions throw where the data ends. */
function decoderOf(digits: string): Decoder {
  const end = digits.length / 2;
  // Data of an encoder names each of its words once.
  let wordsLeft = 2 * Math.ceil(end / wordBytes) + 2;

  function spend(words: number): void {
    wordsLeft -= words;
    if (wordsLeft < 0) throw new Error('offsets name the same words many times');
  }
  function slice(at: number, bytes: number): string {
    if (at + bytes > end) throw new Error('it ends too early');
    return digits.slice(at * 2, (at + bytes) * 2);
  }
  const word = (at: number) => BigInt(`0x${slice(at, wordBytes)}`);
  /** An offset or a length, which cannot be larger than the data. */
  function size(at: number): number {
    const value = word(at);
    if (value > BigInt(end)) throw new Error('it ends too early');
    return Number(value);
  }
  function struct(types: readonly ParamType[], base: number): unknown[] {
    if (types.length === 0) spend(1);
    let at = base;
    return types.map((type) => {
      const place = isDynamic(type) ? base + size(at) : at;
      at += headBytes(type);
      return valueAt(type, place);
    });
  }
  function list(of: ParamType, count: number, base: number): unknown[] {
    if (count === 0) spend(1);
    const [isFar, step] = [isDynamic(of), headBytes(of)];
    const found: unknown[] = [];
    for (let at = base; found.length < count; at += step)
      found.push(valueAt(of, isFar ? base + size(at) : at));
    return found;
  }
  function valueAt(type: ParamType, at: number): unknown {
    const { arrayChildren, components } = type;
    if (arrayChildren && isList(type)) return list(arrayChildren, size(at), at + wordBytes);
    if (arrayChildren) return list(arrayChildren, type.arrayLength ?? 0, at);
    if (components) return struct(components, at);
    const bytes = isDynamic(type) ? size(at) : 0;
    spend(1 + bytes / wordBytes);
    return isDynamic(type) ? textOf(type, slice(at + wordBytes, bytes)) : wordOf(type, slice(at, wordBytes));
  }
  return { struct };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textOf = ({ type }: ParamType, digits: string): string =>
  type === 'string' ? utf8.decode(getBytes(`0x${digits}`)) : `0x${digits}`;

/** The value of a type that is one word. */
function wordOf({ type }: ParamType, digits: string): unknown {
  const value = BigInt(`0x${digits}`);
  if (type === 'bool') return value !== 0n;
  if (type === 'address') return getAddress(`0x${value.toString(16).padStart(40, '0')}`);
  const [, kind, size] = /^(uint|int|bytes)(\d+)$/.exec(type) ?? [];
  if (kind === 'bytes') return `0x${digits.slice(0, Number(size) * 2)}`;
  return kind === 'int' ? BigInt.asIntN(Number(size), value) : BigInt.asUintN(Number(size), value);
}

const isList = ({ arrayChildren, arrayLength }: ParamType): boolean =>
  arrayChildren !== null && (arrayLength ?? -1) < 0;

/** What is asked of a type for each of its values, which may be thousands, as may be its components. */
function remembered<T>(of: (type: ParamType) => T): (type: ParamType) => T {
  const known = new WeakMap<ParamType, T>();
  return (type) => {
    const found = known.get(type) ?? of(type);
    known.set(type, found);
    return found;
  };
}

/** Whether a value is elsewhere, and its offset in its place. */
const isDynamic = remembered((type): boolean => {
  if (type.arrayChildren) return isList(type) || isDynamic(type.arrayChildren);
  return type.components?.some(isDynamic) ?? (type.type === 'string' || type.type === 'bytes');
});

/** What a value takes in its place. */
const headBytes = remembered((type): number => {
  if (isDynamic(type)) return wordBytes;
  if (type.arrayChildren) return (type.arrayLength ?? 0) * headBytes(type.arrayChildren);
  return type.components?.reduce((sum, one) => sum + headBytes(one), 0) ?? wordBytes;
});
