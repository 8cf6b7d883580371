/** Runs work that holds bytes, at most `maxBytes` of all together, in the order in which it came. */
export type HoldBytes = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  bytes: number;
  start(): void;
}

/** Work that holds more than `maxBytes` runs alone. */
export function createHeldBytes(maxBytes: number): HoldBytes {
  const waiting: Waiting[] = [];
  let held = 0;

  const fits = (bytes: number) => held === 0 || held + bytes <= maxBytes;

  function startNext(): void {
    for (let [next] = waiting; next && fits(next.bytes); [next] = waiting) {
      waiting.shift();
      held += next.bytes;
      next.start();
    }
  }

  return async (bytes, work) => {
    await new Promise<void>((start) => {
      waiting.push({ bytes, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      held -= bytes;
      startNext();
    }
  };
}
