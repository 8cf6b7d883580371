const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Follows a value of a JSON array, which comes in parts, to the comma or bracket after it. */
export interface Nesting {
  /** Another value begins. */
  reset(): void;
  /** The index after the part of the value that is in `chunk` from `start` on; the chunk's length if it goes on. */
  endIn(chunk: Buffer, start: number): number;
}

export function createNesting(): Nesting {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  function inString(byte: number): void {
    if (!isEscaped && byte === quote) isInString = false;
    isEscaped = !isEscaped && byte === backslash;
  }

  /** Whether the value is over at this byte. */
  function isOver(byte: number): boolean {
    if (byte === quote) isInString = true;
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    const closes = byte === 0x5d || byte === 0x7d;
    if (depth === 0) return closes || byte === comma;
    if (closes) depth -= 1;
    return false;
  }

  return {
    reset() {
      depth = 0;
      isInString = false;
      isEscaped = false;
    },
    endIn(chunk, start) {
      for (let at = start; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0;
        if (isInString) inString(byte);
        else if (isOver(byte)) return at;
      }
      return chunk.length;
    },
  };
}
