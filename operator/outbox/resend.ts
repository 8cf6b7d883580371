import { broadcast } from '../../core/evm/broadcast.ts';
import { evictStuckTransactions } from '../../core/evm/evictStuckTransactions.ts';
import { gasOfSigned } from '../../core/evm/fees.ts';
import { countFitting } from '../../core/evm/gas.ts';
import { mineStrandedBatch } from '../../core/evm/strandedTransactions.ts';
import { AppError } from '../../core/lib/errors.ts';
import { noteProblem } from './memory.ts';
import type { OpenQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { type AccountState, areKnown } from './readAccountState.ts';

/** The API server sends what it has accepted; the operator only sends what the API server did not get to. */
const graceMs = 2500;
/** How long a node may hold back the next transaction. */
const heldMs = 1000;
/** After this time, an executable transaction counts as forgotten. */
const forgottenMs = 3000;
/** Per reconcile; the rest follows in the next one. */
const maxSent = 200;

interface Waiting {
  nonce: number;
  hash: string;
  raw: string;
}

/**
 * Sends the same bytes again, in nonce order, for transactions that the node does not know, and no more than a
 * block holds (see core/outbox/throttle.ts). Returns the count.
 */
export async function resend(snapshot: QueueSnapshot): Promise<number> {
  const { rpc, queue, account, memory, nowMs } = snapshot;
  const next = waitingOf(queue, account, nowMs).slice(0, maxSent);
  if (next.length === 0) return 0;
  const count = countFitting(
    next.map(({ raw }) => gasOfSigned(raw)),
    account.blockGasLimit,
  );
  const waiting = next.slice(0, Math.max(1, count));
  const known = await areKnown(
    rpc,
    waiting.map(({ hash }) => hash),
  );
  const first = waiting[0]?.nonce ?? 0;
  const isFreed = known[0] === true && (await freeHead(snapshot, waiting));
  if (known[0] === true && isForgotten(snapshot, first)) await mineStrandedBatch(rpc);
  const lost = waiting.filter((_, index) => isFreed || !known[index]);
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

/** Whether the head of a sender queue was held back for too long, and can be sent again. */
async function freeHead(
  { rpc, queue, account, memory, nowMs }: QueueSnapshot,
  waiting: readonly Waiting[],
): Promise<boolean> {
  const nonce = waiting[0]?.nonce ?? 0;
  if (memory.problems.get(nonce)?.kind === 'underpriced') return false;
  const isNext = nonce === account.mined && nonce === account.pending;
  if (!isNext) {
    memory.problems.delete(nonce);
    return false;
  }
  const reason = "the network's node has it, but does not mine it";
  if (noteProblem(memory, nonce, { kind: 'held', reason, sinceMs: nowMs }) < heldMs) return false;
  const known = waiting.map(({ hash }) => hash);
  return evictStuckTransactions(rpc, { address: queue.head.spec.signer, known });
}

/** Whether a transaction is next for the node, and no transaction of this account was mined for long. */
function isForgotten({ account, memory, nowMs }: QueueSnapshot, nonce: number): boolean {
  if (memory.head?.nonce !== account.mined) memory.head = { nonce: account.mined, sinceMs: nowMs };
  return nonce === account.mined && account.pending > nonce && nowMs - memory.head.sinceMs >= forgottenMs;
}

/** Once a nonce-gap transaction is recorded, it owns the nonce: the original transaction is never sent again. */
function waitingOf(
  { entries, gapTransactions }: OpenQueue,
  { mined }: AccountState,
  nowMs: number,
): Waiting[] {
  const own = entries.filter(
    ({ nonce, acceptedMs }) => nonce >= mined && !gapTransactions.has(nonce) && nowMs - acceptedMs >= graceMs,
  );
  const filling = [...gapTransactions.values()]
    .filter(({ nonce }) => nonce >= mined)
    .map(({ nonce, hash, raw }) => ({ nonce, hash, raw: `0x${Buffer.from(raw, 'base64').toString('hex')}` }));
  return [...own, ...filling].sort((a, b) => a.nonce - b.nonce);
}
