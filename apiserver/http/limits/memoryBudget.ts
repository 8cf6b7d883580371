import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';
import { fitsShareOfGroup } from './share.ts';

/**
 * How much a holder may have of what its workspace may still have: a network that is alone gets a quarter of the whole, an
 * account half of it (the largest replay document, parsed).
 */
const portions = { network: 1 / 4, account: 2 } as const;
export type HolderKind = keyof typeof portions;

/** The memory of one request or connection. */
export interface Hold {
  /** Throws Unavailable, and takes nothing, if the holder or its workspace would get more than its share. */
  take(bytes: number): void;
  give(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** Bytes that requests of all callers hold in this process: bodies, what is parsed from them, frames, backlogs. */
export interface MemoryBudget {
  /** `workspace` bounds its holders together; a holder without one is bounded alone. */
  open(kind: HolderKind, id: string, workspace?: string): Hold;
}

/** A network or an account, or all of those of a workspace. */
interface Holder {
  used: number;
  holds: number;
}

export interface MemoryBudgetOptions {
  maxBytes: number;
  metrics: Pick<BudgetMetrics, 'refused' | 'memory'>;
}

export function createMemoryBudget({ maxBytes, metrics }: MemoryBudgetOptions): MemoryBudget {
  const holders = { network: new Map<string, Holder>(), account: new Map<string, Holder>() };
  const workspaces = new Map<string, Holder>();
  let used = 0;

  return {
    // No workspace has such a name: the holder is a group of its own.
    open(kind, id, workspace = `${kind}/${id}`) {
      const holder = enter(holders[kind], id);
      const group = enter(workspaces, workspace);
      let held = 0;
      let isOpen = true;
      const change = (bytes: number) => {
        held += bytes;
        holder.used += bytes;
        group.used += bytes;
        used += bytes;
        metrics.memory(used);
      };
      return {
        take(bytes) {
          const wanted = { own: holder.used + bytes, group: group.used + bytes, all: used + bytes };
          if (!fitsShareOfGroup(maxBytes, portions[kind], wanted)) {
            metrics.refused('memory');
            const fitsAlone = fitsShareOfGroup(maxBytes, portions[kind], { ...wanted, group: wanted.own });
            throw exhausted(fitsAlone ? 'workspace' : kind, maxBytes);
          }
          if (isOpen) change(bytes);
        },
        give: (bytes) => change(-Math.min(bytes, held)),
        release() {
          if (!isOpen) return;
          isOpen = false;
          change(-held);
          leave(holders[kind], id, holder);
          leave(workspaces, workspace, group);
        },
      };
    },
  };
}

function enter(holders: Map<string, Holder>, id: string): Holder {
  const known = holders.get(id);
  const holder = known ?? { used: 0, holds: 0 };
  if (!known) holders.set(id, holder);
  holder.holds += 1;
  return holder;
}

function leave(holders: Map<string, Holder>, id: string, holder: Holder): void {
  holder.holds -= 1;
  if (holder.holds === 0) holders.delete(id);
}

function exhausted(who: HolderKind | 'workspace', maxBytes: number): AppError {
  const mebibytes = Math.floor(maxBytes / 1024 / 1024);
  return new AppError(
    'Unavailable',
    `the requests of this ${who} hold its share of the request memory (limits.requestMemoryMiB: ${mebibytes}): send fewer or smaller ones at a time, and retry`,
    { retryAfterSeconds: 1 },
  );
}
