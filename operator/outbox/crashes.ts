import { type Instance, isProcess } from '../../core/evm/instance.ts';

/** A process that ends this soon after it got a transaction may have crashed because of it. */
const soonMs = 60_000;
/** After so many such crashes in a row, transactions are sent one at a time, to see which of them it is. */
const suspiciousAfter = 2;
/** After so many, the transaction that was sent alone is not sent again. */
const endedAfter = 5;

/** Processes of a node that crashed soon after they got transactions of a queue. A new leader begins to count again. */
export interface Crashes {
  count: number;
  /** What the last process got. */
  sent?: Sent;
}

interface Sent {
  instance: Instance;
  /** The first transaction, and whether it was the only one. */
  hash: string;
  isAlone: boolean;
  /** When the process got its first transaction, and the last one. */
  sinceMs: number;
  lastMs: number;
}

interface Next {
  instance: Instance;
  nowMs: number;
  /** The first transaction that waits. */
  hash: string;
}

/**
 * How much of what waits is sent now. `none`: the first transaction crashed each process that got it, and is not sent again. A pod of
 * a client says nothing about the process in it, nor about other nodes that have the transaction.
 */
export function howMuchToSend(crashes: Crashes, { instance, nowMs, hash }: Next): 'all' | 'one' | 'none' {
  if (!isProcess(instance)) return 'all';
  const { sent } = crashes;
  if (sent && sent.instance === instance && nowMs - sent.sinceMs >= soonMs) crashes.count = 0;
  if (sent && sent.instance !== instance) {
    crashes.count = nowMs - sent.lastMs < soonMs ? crashes.count + 1 : 0;
    delete crashes.sent;
    if (crashes.count >= endedAfter && sent.isAlone && sent.hash === hash) {
      crashes.count = 0;
      return 'none';
    }
  }
  return crashes.count >= suspiciousAfter ? 'one' : 'all';
}

/** Notes what a process has got. */
export function noteSent(
  crashes: Crashes,
  { instance, nowMs, hash, isAlone }: Next & { isAlone: boolean },
): void {
  const { sent } = crashes;
  const sinceMs = sent && sent.instance === instance ? sent.sinceMs : nowMs;
  crashes.sent = { instance, hash, isAlone, sinceMs, lastMs: nowMs };
}
