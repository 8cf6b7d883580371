const smallestBlock = 4096;
const largestBlock = 64 * 1024;

/** The chunks of one body. */
export interface Collector {
  readonly length: number;
  add(chunk: Buffer): void;
  join(): Buffer;
}

/**
 * Collects chunks so that they occupy what they are charged for: a chunk of one byte costs a hundred times that, so
 * every chunk but the first is copied into blocks. `take` is called with the size of each allocation and may throw.
 */
export function createCollector(take: (bytes: number) => void): Collector {
  const parts: Buffer[] = [];
  let free = Buffer.alloc(0);
  let length = 0;

  function copy(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      if (free.length === 0) {
        const size = Math.min(largestBlock, Math.max(smallestBlock, length));
        take(size);
        free = Buffer.allocUnsafeSlow(size);
        parts.push(free);
      }
      const copied = rest.copy(free);
      free = free.subarray(copied);
      rest = rest.subarray(copied);
    }
  }

  return {
    get length() {
      return length;
    },
    add(chunk) {
      if (parts.length > 0) copy(chunk);
      else {
        take(chunk.length);
        parts.push(chunk);
      }
      length += chunk.length;
    },
    join() {
      const [first] = parts;
      return parts.length === 1 && first ? first : Buffer.concat(parts, length);
    },
  };
}
