import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';
import { fitsShare } from './share.ts';

/**
 * How much of what is free a holder may have: a network that is alone gets a quarter of the whole, an account half of
 * it (the largest replay document, parsed).
 */
const portions = { network: 2 / 5, account: 4 / 3 } as const;
export type HolderKind = keyof typeof portions;

/** The memory of one request or connection. */
export interface Hold {
  /** Throws Unavailable, and takes nothing, if the holder would get more than its share. */
  take(bytes: number): void;
  give(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** Bytes that requests of all callers hold in this process: bodies, what is parsed from them, frames, backlogs. */
export interface MemoryBudget {
  open(kind: HolderKind, id: string): Hold;
}

interface Holder {
  used: number;
  holds: number;
}

export interface MemoryBudgetOptions {
  maxBytes: number;
  metrics: Pick<BudgetMetrics, 'refused' | 'memory'>;
}

export function createMemoryBudget({ maxBytes, metrics }: MemoryBudgetOptions): MemoryBudget {
  const holders = new Map<string, Holder>();
  let used = 0;

  function add(holder: Holder, bytes: number): void {
    holder.used += bytes;
    used += bytes;
    metrics.memory(used);
  }

  return {
    open(kind, id) {
      const key = `${kind}/${id}`;
      const holder = holders.get(key) ?? { used: 0, holds: 0 };
      holders.set(key, holder);
      holder.holds += 1;
      let held = 0;
      let isOpen = true;
      const change = (bytes: number) => {
        held += bytes;
        add(holder, bytes);
      };
      return {
        take(bytes) {
          const wanted = { own: holder.used + bytes, all: used + bytes };
          if (!fitsShare(maxBytes, portions[kind], wanted)) {
            metrics.refused('memory');
            throw exhausted(kind, maxBytes);
          }
          if (isOpen) change(bytes);
        },
        give: (bytes) => change(-Math.min(bytes, held)),
        release() {
          if (!isOpen) return;
          isOpen = false;
          change(-held);
          holder.holds -= 1;
          if (holder.holds === 0) holders.delete(key);
        },
      };
    },
  };
}

function exhausted(kind: HolderKind, maxBytes: number): AppError {
  const mebibytes = Math.floor(maxBytes / 1024 / 1024);
  return new AppError(
    'Unavailable',
    `the requests of this ${kind} hold its share of the request memory (limits.requestMemoryMiB: ${mebibytes}): send fewer or smaller ones at a time, and retry`,
    { retryAfterSeconds: 1 },
  );
}
