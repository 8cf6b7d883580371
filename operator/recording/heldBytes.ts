import { createTally } from '../../core/lib/work/tally.ts';

/** Work that holds bytes for somebody: an account. */
interface Holding {
  holder: string;
  bytes: number;
}

/** Runs work, of each holder in the order in which it came. Who holds least has the next turn. */
export type HoldBytes = <T>(holding: Holding, work: () => Promise<T>) => Promise<T>;

interface Waiting extends Holding {
  start(): void;
}

/** The most bytes of all work together, and of one holder's. Work that holds more runs alone. */
export interface HeldLimits {
  all: number;
  ofHolder: number;
}

export function createHeldBytes({ all, ofHolder }: HeldLimits): HoldBytes {
  const waiting: Waiting[] = [];
  const held = createTally();

  const hasRoom = (has: number, bytes: number, most: number) => has === 0 || has + bytes <= most;

  function next(): Waiting | undefined {
    const [first] = [...Map.groupBy(waiting, ({ holder }) => holder).values()]
      .flatMap(([one]) => one ?? [])
      .filter(({ holder, bytes }) => hasRoom(held.of(holder), bytes, ofHolder))
      .sort((one, other) => held.of(one.holder) - held.of(other.holder));
    return first && hasRoom(held.total(), first.bytes, all) ? first : undefined;
  }

  function startNext(): void {
    for (let one = next(); one; one = next()) {
      waiting.splice(waiting.indexOf(one), 1);
      held.add(one.holder, one.bytes);
      one.start();
    }
  }

  return async ({ holder, bytes }, work) => {
    await new Promise<void>((start) => {
      waiting.push({ holder, bytes, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      held.add(holder, -bytes);
      startNext();
    }
  };
}
