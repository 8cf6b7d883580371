import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from './budgetMetrics.ts';
import { fitsShareOfGroup } from './share.ts';

/**
 * How much a holder may have of what the owner of its workspace may still have: a network that is alone gets a quarter of the whole, an
 * account half of it (the largest replay document, parsed).
 */
const portions = { network: 1 / 4, account: 2 } as const;
export type HolderKind = keyof typeof portions;

/** The memory of one request or connection. */
export interface Hold {
  /** Throws Unavailable, and takes nothing, if the holder, or the owner of its workspace, would get more than its share. */
  take(bytes: number): void;
  give(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** Bytes that requests of all callers hold in this process: bodies, what is parsed from them, frames, backlogs. */
export interface MemoryBudget {
  /** The holders in workspaces of one account are bounded together; a holder without a workspace is bounded alone. */
  open(kind: HolderKind, id: string, workspace?: string): Hold;
}

/** A network or an account, or all of those that take the share of an account. */
interface Holder {
  used: number;
  holds: number;
}

export interface MemoryBudgetOptions {
  maxBytes: number;
  metrics: Pick<BudgetMetrics, 'refused' | 'memory'>;
  /** Whose share a holder of a workspace takes. By default that of the workspace. */
  shareOf?: ((workspace: string, holder: string) => string) | undefined;
}

export function createMemoryBudget({
  maxBytes,
  metrics,
  shareOf = (workspace) => workspace,
}: MemoryBudgetOptions): MemoryBudget {
  const holders = { network: new Map<string, Holder>(), account: new Map<string, Holder>() };
  const groups = new Map<string, Holder>();
  let used = 0;

  return {
    // No workspace has such a name: the holder is a group of its own.
    open(kind, id, workspace) {
      const share = workspace === undefined ? `${kind}/${id}` : shareOf(workspace, id);
      const holder = enter(holders[kind], id);
      const group = enter(groups, share);
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
            throw exhausted(fitsAlone ? 'owner' : kind, maxBytes);
          }
          if (isOpen) change(bytes);
        },
        give: (bytes) => change(-Math.min(bytes, held)),
        release() {
          if (!isOpen) return;
          isOpen = false;
          change(-held);
          leave(holders[kind], id, holder);
          leave(groups, share, group);
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

function exhausted(who: HolderKind | 'owner', maxBytes: number): AppError {
  const holder =
    who === 'owner' ? 'all workspaces of the owner of this one hold their' : `this ${who} hold its`;
  const mebibytes = Math.floor(maxBytes / 1024 / 1024);
  return new AppError(
    'Unavailable',
    `the requests of ${holder} share of the request memory (limits.requestMemoryMiB: ${mebibytes}): send fewer or smaller ones at a time, and retry`,
    { retryAfterSeconds: 1 },
  );
}
