import type { Instance } from '../../core/evm/instance.ts';

/** A process that ends this soon after it got a transaction may have ended of it. */
const soonMs = 60_000;
/** After so many such processes in a row, transactions are sent one at a time, to see which of them it is. */
const suspiciousAfter = 2;
/** After so many, the one that was sent last is not sent again. */
const endedAfter = 4;

/** Processes of a node that ended soon after they got transactions of a queue. A new leader begins to count again. */
export interface Crashes {
  count: number;
  /** What was sent last: its first transaction, to which process, and when. */
  sent?: { hash: string; instance: Instance; atMs: number };
}

interface Look {
  instance: Instance;
  nowMs: number;
  /** The first transaction that waits. */
  hash: string;
}

/** What may be sent now: all that waits, one transaction, or none, because this one ends each process that gets it. */
export function maySend(crashes: Crashes, { instance, nowMs, hash }: Look): 'all' | 'one' | 'none' {
  const { sent } = crashes;
  if (sent && sent.instance !== instance) {
    crashes.count = nowMs - sent.atMs < soonMs ? crashes.count + 1 : 0;
    delete crashes.sent;
    if (crashes.count >= endedAfter && sent.hash === hash) return 'none';
  }
  return crashes.count >= suspiciousAfter ? 'one' : 'all';
}

export function noteSent(crashes: Crashes, sent: NonNullable<Crashes['sent']>): void {
  crashes.sent = sent;
}
