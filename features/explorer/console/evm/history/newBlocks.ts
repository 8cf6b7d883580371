import type { Clock } from '../../../../../console/src/lib/clock.ts';
import type { ChainHead } from '../../../../../sdk/src/generated/types.ts';

/** What reads for a new block cost: the next ones wait so long for each. */
const restMs = 1000;

/** Which of a chain's blocks were read. A block that comes while others are read is read after them. */
interface NewBlocks {
  /** The newest block, as far as it is known. */
  see(head: ChainHead): void;
  /** Whether a block is to be read now. While it is too early, `wake` is called later. */
  isDue(): boolean;
  /** Reads what is new by `work`, which says after which block it ended and how many reads it took. */
  read<T extends Outcome>(work: () => Promise<T>): Promise<T>;
}

interface Outcome {
  /** Number of the newest block that was read. */
  to: string;
  reads: number;
}

export function createNewBlocks(clock: Clock, wake: () => void): NewBlocks {
  let head: ChainHead | undefined;
  let seen: ChainHead | undefined;
  let readTo = '';
  let restUntilMs = 0;
  let cancel = () => {};
  return {
    see(next) {
      head = next;
    },
    isDue() {
      if (!head || isSame(head, seen)) return false;
      const waitMs = restUntilMs - clock.nowMs();
      if (waitMs <= 0) return true;
      cancel();
      cancel = clock.after(waitMs, wake);
      return false;
    },
    async read(work) {
      const wanted = head;
      restUntilMs = clock.nowMs() + restMs;
      const outcome = await work();
      restUntilMs = clock.nowMs() + restMs * outcome.reads;
      // Of many new blocks, an answer has only some.
      const isPart = wanted && BigInt(outcome.to) < BigInt(wanted.number) && outcome.to !== readTo;
      readTo = outcome.to;
      if (!isPart) seen = wanted;
      return outcome;
    },
  };
}

/** A chain that went back has another block of the number. */
function isSame(one: ChainHead, other: ChainHead | undefined): boolean {
  return one.number === other?.number && one.hash === other.hash;
}
