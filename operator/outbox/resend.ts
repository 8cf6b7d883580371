import { broadcast } from '../../core/evm/broadcast.ts';
import { lowerBaseFee } from '../../core/evm/emptyBlocks.ts';
import { feesOfSigned, gasOfSigned, maxPerGas } from '../../core/evm/fees.ts';
import { evictStuckTransactions } from '../../core/evm/pool/evictStuckTransactions.ts';
import { mineStrandedBatch } from '../../core/evm/pool/strandedTransactions.ts';
import { areKnown } from '../../core/evm/transactions.ts';
import { AppError } from '../../core/lib/errors.ts';
import { graceMs } from '../../core/outbox/freeNonce.ts';
import { isAcknowledgedBy } from '../../core/outbox/marks.ts';
import { unpackRaw } from '../../core/outbox/packedTransactions.ts';
import { crashesEngine } from '../../core/outbox/results.ts';
import { howMuchToSend, noteSent } from './crashes.ts';
import { noteProblem } from './memory.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { settleMined } from './settle.ts';

/** How long a node may hold back the next transaction. */
const heldMs = 1000;
/** After this time, an executable transaction counts as forgotten. */
const forgottenMs = 3000;
/** Per reconcile; the rest follows in the next one. */
const maxSent = 200;

/** Characters of signed bytes per reconcile. */
const maxChars = 2_000_000;

interface Waiting {
  /** Of its entry; absent of a nonce-gap transaction, whose outcome nobody asks for. */
  key?: string;
  nonce: number;
  hash: string;
  /** Whether the node had it before anybody was told that it is accepted: without it now, it was undone. */
  isAcknowledged: boolean;
  read(): Promise<string>;
}

interface Sendable extends Waiting {
  raw: string;
}

/**
 * Sends the same bytes again, in nonce order, for transactions that the node does not know, and no more than a
 * block holds (see core/outbox/throttle.ts): those that are queued, and all that another process was to acknowledge. What
 * this one acknowledged and lacks is settled by then (settle.ts). Returns the count.
 */
export async function resend(snapshot: QueueSnapshot): Promise<number> {
  const { rpc, memory, nowMs } = snapshot;
  const waiting = await sendableOf(snapshot);
  if (waiting.length === 0) return 0;
  const known = await areKnown(
    rpc,
    waiting.map(({ hash }) => hash),
  );
  const first = waiting[0]?.nonce ?? 0;
  await lowerBaseFee(
    rpc,
    waiting.map(({ raw }) => maxPerGas(feesOfSigned(raw))),
  );
  const isFreed = known[0] === true && (await freeHead(snapshot, waiting));
  if (known[0] === true && isForgotten(snapshot, first)) await mineStrandedBatch(rpc);
  const lost = waiting.filter(({ isAcknowledged }, index) => isFreed || (!known[index] && !isAcknowledged));
  const [{ hash } = { hash: undefined }] = lost;
  const { instance } = snapshot.account;
  // Before they are sent, to a process that has just answered: it may not live to answer again.
  if (hash !== undefined) noteSent(memory.crashes, { hash, instance, nowMs, isAlone: lost.length === 1 });
  const results = await broadcast(
    rpc,
    lost.map(({ raw }) => raw),
  );
  for (const [index, result] of results.entries()) {
    const nonce = lost[index]?.nonce ?? 0;
    if (result.kind === 'unreached') throw new AppError('Unavailable', result.reason);
    if (result.kind === 'refused')
      noteProblem(memory, nonce, { kind: 'refused', reason: result.reason, sinceMs: nowMs });
    else memory.problems.delete(nonce);
  }
  return lost.length;
}

/** The next transactions, unless the first one crashes each process that gets it: that one is settled. */
async function sendableOf(snapshot: QueueSnapshot): Promise<Sendable[]> {
  const { rpc, memory, account, nowMs } = snapshot;
  const next = await nextOf(snapshot);
  const [first] = next;
  if (!first || first.isAcknowledged) return next;
  const verdict = howMuchToSend(memory.crashes, { instance: account.instance, nowMs, hash: first.hash });
  if (verdict === 'all') return next;
  if (verdict === 'one') return [first];
  const [isKnown] = await areKnown(rpc, [first.hash]);
  if (!isKnown && first.key !== undefined) memory.results.set(first.key, crashesEngine);
  return [];
}

/** The next transactions, with their bytes: as many as fit into a block, at least one. */
async function nextOf(snapshot: QueueSnapshot): Promise<Sendable[]> {
  const next: Sendable[] = [];
  let gas = snapshot.account.blockGasLimit;
  let chars = maxChars;
  for (const waiting of waitingOf(snapshot).slice(0, maxSent)) {
    const raw = await waiting.read();
    gas -= gasOfSigned(raw);
    chars -= raw.length;
    if (next.length > 0 && (gas < 0n || chars < 0)) break;
    next.push({ ...waiting, raw });
  }
  return next;
}

/** Whether the head of a sender queue was held back for too long, and can be sent again. */
async function freeHead(snapshot: QueueSnapshot, waiting: readonly Waiting[]): Promise<boolean> {
  const { rpc, queue, account, memory, nowMs } = snapshot;
  const nonce = waiting[0]?.nonce ?? 0;
  if (memory.problems.get(nonce)?.kind === 'underpriced') return false;
  const isNext = nonce === account.mined && nonce === account.pending;
  if (!isNext) {
    memory.problems.delete(nonce);
    return false;
  }
  const reason = "the network's node has it, but does not mine it";
  if (noteProblem(memory, nonce, { kind: 'held', reason, sinceMs: nowMs }) < heldMs) return false;
  const own = waiting.flatMap(({ key, hash }) => (key === undefined ? [] : [{ key, hash }]));
  if (await settleMined(snapshot, own)) return false;
  return evictStuckTransactions(rpc, queue.head.spec.signer);
}

/** Whether a transaction is next for the node, and no transaction of this account was mined for long. */
function isForgotten({ account, memory, nowMs }: QueueSnapshot, nonce: number): boolean {
  if (memory.head?.nonce !== account.mined) memory.head = { nonce: account.mined, sinceMs: nowMs };
  return nonce === account.mined && account.pending > nonce && nowMs - memory.head.sinceMs >= forgottenMs;
}

/** Once a nonce-gap transaction is recorded, it owns the nonce: the original transaction is never sent again. */
function waitingOf({ queue, account, memory, readRaw, nowMs }: QueueSnapshot): Waiting[] {
  const { entries, gapTransactions } = queue;
  const { mined } = account;
  const own = entries
    .filter(
      ({ key, nonce, acceptedMs }) =>
        nonce >= mined &&
        !gapTransactions.has(nonce) &&
        !memory.results.has(key) &&
        nowMs - acceptedMs >= graceMs,
    )
    .map((entry) => ({
      key: entry.key,
      nonce: entry.nonce,
      hash: entry.hash,
      isAcknowledged: isAcknowledgedBy(account.instance, entry.mark),
      read: () => readRaw(entry),
    }));
  const filling = [...gapTransactions.values()]
    .filter(({ nonce }) => nonce >= mined)
    .map(({ nonce, hash, raw }) => ({
      nonce,
      hash,
      isAcknowledged: false,
      read: async () => unpackRaw(raw),
    }));
  return [...own, ...filling].sort((a, b) => a.nonce - b.nonce);
}
