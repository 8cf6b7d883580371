import type { Result } from '../../core/outbox/results.ts';
import type { Crashes } from './crashes.ts';

/** What this process already knows about a sender queue. Losing it only costs more requests. */
export interface QueueMemory {
  /** By key of the entry: settled transactions of batches that are not fully settled. */
  results: Map<string, Result>;
  /** By nonce: what blocks it, and since when. */
  problems: Map<number, Problem>;
  /** By name of a part: the hashes in it, by id of the batch. */
  parts: Map<string, ReadonlyMap<string, string[]>>;
  /** The next nonce of the account on the chain, and since when. */
  head?: { nonce: number; sinceMs: number };
  crashes: Crashes;
  /** Consecutive reconciles without a change. */
  quietReconciles: number;
}

/**
 * What blocks a nonce.
 *
 * - `refused`: the node rejects its transaction.
 * - `held`: the node has it and does not mine it.
 * - `underpriced`: the node has it, and it offers less than the base fee.
 * - `missing`: no transaction has the nonce.
 * - `replaced`: another transaction used the nonce.
 */
interface Problem {
  kind: 'refused' | 'held' | 'underpriced' | 'missing' | 'replaced';
  reason: string;
  sinceMs: number;
}

export function createQueueMemory(): QueueMemory {
  return {
    results: new Map(),
    problems: new Map(),
    parts: new Map(),
    crashes: { count: 0 },
    quietReconciles: 0,
  };
}

/** Records a problem and returns for how long the same kind of problem has lasted, in ms. */
export function noteProblem(
  { problems }: QueueMemory,
  nonce: number,
  { kind, reason, sinceMs: nowMs }: Problem,
): number {
  const known = problems.get(nonce);
  const sinceMs = known?.kind === kind ? known.sinceMs : nowMs;
  problems.set(nonce, { kind, reason, sinceMs });
  return nowMs - sinceMs;
}

interface PastNonces {
  entries: readonly { nonce: number; key: string }[];
  /** Nonces used in blocks. */
  mined: number;
}

/** Forgets what blocked nonces that are used up by now: it passed by itself, or what it led to is recorded. */
export function forgetPast({ problems, results }: QueueMemory, { entries, mined }: PastNonces): void {
  const unsettled = new Set(entries.filter(({ key }) => !results.has(key)).map(({ nonce }) => nonce));
  for (const [nonce, { kind }] of problems) {
    const isOver = nonce < mined && !(kind === 'replaced' && unsettled.has(nonce));
    if (isOver) problems.delete(nonce);
  }
}
