import type { Result } from '../../core/outbox/results.ts';

/** What this process found out about a sender queue and need not ask again. Losing it costs questions, nothing else. */
export interface QueueMemory {
  /** By hash: settled ones of batches that are not settled as a whole. */
  results: Map<string, Result>;
  /** By nonce: what holds it up, and since when. */
  problems: Map<number, problem>;
  /** The nonce that the chain waits for, and since when. */
  head?: { nonce: number; sinceMs: number };
  /** Looks in a row at which nothing had changed. */
  quietLooks: number;
}

/** refused: the node does not take it. held: it has it and does not mine it. underpriced: it has it, and the base fee is higher than what it offers. missing: nothing has the nonce. replaced: something else has used it. */
export interface problem {
  kind: 'refused' | 'held' | 'underpriced' | 'missing' | 'replaced';
  reason: string;
  sinceMs: number;
}

export function createQueueMemory(): QueueMemory {
  return { results: new Map(), problems: new Map(), quietLooks: 0 };
}

/** Notes a trouble; the answer is for how long the same kind of it has been there, in ms. */
export function noteProblem(
  { problems }: QueueMemory,
  nonce: number,
  { sinceMs: nowMs, ...problem }: problem,
): number {
  const known = problems.get(nonce);
  const sinceMs = known?.kind === problem.kind ? known.sinceMs : nowMs;
  problems.set(nonce, { ...problem, sinceMs });
  return nowMs - sinceMs;
}
