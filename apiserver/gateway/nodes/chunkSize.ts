import { malformed } from './answerHead.ts';

/** The longest line with the size of a chunk and its extensions, and the longest field after the last chunk. */
export const maxLineLength = 4096;
const maxDigits = 12;
const [tab, lineFeed, carriageReturn, space, semicolon, del] = [0x09, 0x0a, 0x0d, 0x20, 0x3b, 0x7f];

/** Where the next byte is. */
type Place = 'size' | 'blank' | 'extension' | 'sizeEnd' | 'dataEnd' | 'dataEndFeed';

/**
 * Reads what stands before the bytes of a chunk, and after those of the one before, byte by byte: a chunk of one byte has five such
 * bytes, so they must not cost more than others. Returns the size once its line is complete; extensions are dropped.
 */
export function createChunkSize(): (byte: number) => number | undefined {
  let place: Place = 'size';
  let size = 0;
  let length = 0;
  const places: Record<Place, (byte: number) => Place> = {
    size(byte) {
      const digit = digitOf(byte);
      if (digit === undefined) return length > 1 ? places.blank(byte) : failed();
      size = size * 16 + digit;
      return length <= maxDigits ? 'size' : failed();
    },
    blank(byte) {
      if (byte === tab || byte === space) return 'blank';
      return byte === semicolon ? 'extension' : endOf(byte);
    },
    extension: (byte) => (isPrintable(byte) ? 'extension' : endOf(byte)),
    sizeEnd: (byte) => (byte === lineFeed ? 'dataEnd' : failed()),
    dataEnd: (byte) => (byte === carriageReturn ? 'dataEndFeed' : failed()),
    dataEndFeed(byte) {
      size = 0;
      length = 0;
      return byte === lineFeed ? 'size' : failed();
    },
  };
  return (byte) => {
    length += 1;
    if (length > maxLineLength) failed();
    const isEnd = place === 'sizeEnd';
    place = places[place](byte);
    return isEnd ? size : undefined;
  };
}

function digitOf(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

const isPrintable = (byte: number): boolean => byte === tab || (byte >= space && byte !== del);

const endOf = (byte: number): Place => (byte === carriageReturn ? 'sizeEnd' : failed());

export function failed(): never {
  throw malformed('chunked body');
}
