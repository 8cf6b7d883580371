import type { Result } from '../../core/outbox/results.ts';

/** What this process found out about a lane and need not ask again. Losing it costs questions, nothing else. */
export interface LaneMemory {
  /** By hash: settled ones of batches that are not settled as a whole. */
  results: Map<string, Result>;
  /** By nonce: what holds it up, and since when. */
  troubles: Map<number, Trouble>;
  /** The nonce that the chain waits for, and since when. */
  head?: { nonce: number; sinceMs: number };
  /** Looks in a row at which nothing had changed. */
  quietLooks: number;
}

/** refused: the node does not take it. held: it has it and does not mine it. outpriced: it has it, and the base fee is higher than what it offers. missing: nothing has the nonce. replaced: something else has used it. */
export interface Trouble {
  kind: 'refused' | 'held' | 'outpriced' | 'missing' | 'replaced';
  reason: string;
  sinceMs: number;
}

export function createMemory(): LaneMemory {
  return { results: new Map(), troubles: new Map(), quietLooks: 0 };
}

/** Notes a trouble; the answer is for how long the same kind of it has been there, in ms. */
export function noteTrouble(
  { troubles }: LaneMemory,
  nonce: number,
  { sinceMs: nowMs, ...trouble }: Trouble,
): number {
  const known = troubles.get(nonce);
  const sinceMs = known?.kind === trouble.kind ? known.sinceMs : nowMs;
  troubles.set(nonce, { ...trouble, sinceMs });
  return nowMs - sinceMs;
}
