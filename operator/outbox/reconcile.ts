import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource, OutboxStatus } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { addGapTransaction, archive, removeGapTransactions, settledBatches } from './archive.ts';
import type { OutboxDeps } from './deps.ts';
import { findGapTransaction } from './fillNonceGap.ts';
import { collectGarbage } from './garbageCollect.ts';
import { createQueueMemory, type QueueMemory } from './memory.ts';
import { type OpenQueue, openQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { type AccountState, readAccountState } from './readAccountState.ts';
import { resend } from './resend.ts';
import { settle } from './settle.ts';
import { type QueueStanding, queueStanding, settleFormer } from './standing.ts';

export type OutboxReconcile = (key: string) => Promise<ReconcileResult>;

const soonMs = 1000;
const longestMs = 10_000;
const tidyMs = 600_000;

/**
 * Reconciles sender queues; the key is `namespace/name`. Checks what happened to accepted transactions, sends again what
 * the node does not have, and archives what is settled. Throws Unavailable when a node cannot be reached.
 */
export function createOutboxReconcile(deps: OutboxDeps): OutboxReconcile {
  const memories = new Map<string, QueueMemory>();

  return async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    const head = deps.caches.outboxes.get({ namespace, name });
    const [network] = head ? deps.caches.networks.byIndex('uid', head.spec.networkID) : [];
    // A sender queue is deleted with its network.
    if (!head || !network || network.metadata.deletionTimestamp) {
      memories.delete(key);
      return { state: 'Gone' };
    }
    const nowMs = await deps.kube.serverTimeMs();
    const standing = queueStanding(head, network);
    if (!hasOpen(head)) {
      memories.delete(key);
      if (head.status) await writeStatus(deps, head, { open: 0 });
      await collectGarbage(deps, { head, isOver: standing === 'over', nowMs });
      return { state: 'Empty', requeueAfterMs: tidyMs };
    }
    const memory = memories.get(key) ?? createQueueMemory();
    memories.set(key, memory);
    return visit(deps, { head, network, standing, memory, nowMs });
  };
}

const hasOpen = (head: Stored<OutboxResource>): boolean =>
  batchesOf(head).length + (head.spec.gapTransactions ?? []).length > 0;

/** Reports a node that cannot be used in the status. */
async function visit(deps: OutboxDeps, queue: Visit): Promise<ReconcileResult> {
  try {
    return await lookAfter(deps, queue);
  } catch (error) {
    if (isAppError(error, 'Unavailable')) await writeStatus(deps, queue.head, { message: error.message });
    throw error;
  }
}

interface Visit {
  head: Stored<OutboxResource>;
  network: Stored<NetworkResource>;
  standing: QueueStanding;
  memory: QueueMemory;
  nowMs: number;
}

async function lookAfter(deps: OutboxDeps, visit: Visit): Promise<ReconcileResult> {
  const { head, standing, memory } = visit;
  const queue = await openQueue(deps, head);
  const before = memory.results.size;
  const { isWaiting, account, sent } =
    standing === 'over' ? await settleOver(deps, visit, queue) : await settleCurrent(deps, visit, queue);
  await archiveSettled(deps, visit, queue);
  const message = isWaiting ? "the network's node is not available" : problemOf(memory);
  const isQuiet = memory.results.size === before && sent === 0;
  memory.quietLooks = isQuiet ? memory.quietLooks + 1 : 0;
  const progress = progressOf(queue, memory, account);
  // A transaction that is mined at once is not worth a status write.
  const isNews = message !== undefined || head.status !== undefined || (isQuiet && progress.open !== 0);
  if (isNews) await writeStatus(deps, head, { ...progress, ...compact({ message }) });
  return { state: standing, requeueAfterMs: Math.min(longestMs, soonMs * 1.5 ** memory.quietLooks) };
}

interface Settled {
  /** For a node of the queue's chain. */
  isWaiting: boolean;
  account?: AccountState;
  /** The number of transactions that were sent again. */
  sent: number;
}

/** The chain is gone: nothing more can be learned about its transactions. */
async function settleOver(deps: OutboxDeps, { network, memory }: Visit, queue: OpenQueue): Promise<Settled> {
  const rpc = deps.rpcOf(network.metadata.uid);
  const isStopped = network.status?.state === 'Stopped';
  if (!rpc && !isStopped) return { isWaiting: true, sent: 0 };
  await settleFormer(isStopped ? undefined : rpc, queue, memory);
  return { isWaiting: false, sent: 0 };
}

async function settleCurrent(
  deps: OutboxDeps,
  { head, network, standing, memory, nowMs }: Visit,
  queue: OpenQueue,
): Promise<Settled> {
  const rpc = deps.rpcOf(network.metadata.uid);
  if (standing !== 'current' || !rpc) return { isWaiting: true, sent: 0 };
  const account = await readAccountState(rpc, head.spec.signer);
  // Another chain already answers; the network's status will soon say so.
  if (account.genesis !== head.spec.genesis) return { isWaiting: true, account, sent: 0 };
  const sent = await lookFurther(deps, head, { rpc, queue, account, memory, nowMs });
  return { isWaiting: false, account, sent };
}

/** Syncs a sender queue with the node of its chain; returns the number of transactions that were sent again. */
async function lookFurther(
  deps: OutboxDeps,
  head: Stored<OutboxResource>,
  snapshot: QueueSnapshot,
): Promise<number> {
  const { queue, account, memory } = snapshot;
  await settle(snapshot);
  const sent = await resend(snapshot);
  if (sent > 0) deps.metrics.resent(sent);
  const gapTransaction = await findGapTransaction(deps, snapshot);
  if (gapTransaction) {
    deps.log.warn('using up a nonce so that later transactions can be mined', {
      queue: head.metadata.name,
      nonce: gapTransaction.nonce,
      reason: gapTransaction.reason,
    });
    deps.metrics.filled();
    await addGapTransaction(deps, head, gapTransaction);
  }
  const isPast = head.spec.gapTransactions?.some(({ nonce }) => nonce < account.mined) === true;
  const isStillAsked = queue.entries.some(
    ({ hash, nonce }) => nonce < account.mined && !memory.results.has(hash),
  );
  if (isPast && !isStillAsked) await removeGapTransactions(deps, head, account.mined);
  return sent + (gapTransaction ? 1 : 0);
}

async function archiveSettled(
  deps: OutboxDeps,
  { head, memory, nowMs }: Visit,
  queue: OpenQueue,
): Promise<void> {
  const settled = settledBatches(queue, memory.results, nowMs);
  if (settled.length === 0) return;
  await archive(deps, head, settled);
  const ids = new Set(settled.map(({ id }) => id));
  for (const { hash, nonce, batch } of queue.entries) {
    const result = memory.results.get(hash);
    if (!ids.has(batch.id) || !result) continue;
    deps.metrics.settled(result);
    memory.results.delete(hash);
    memory.problems.delete(nonce);
  }
}

function problemOf({ problems }: QueueMemory): string | undefined {
  const [first] = [...problems].sort(([a], [b]) => a - b);
  return first && `nonce ${first[0]}: ${first[1].reason}`.slice(0, 1000);
}

function progressOf(
  { entries }: OpenQueue,
  { results }: QueueMemory,
  account: AccountState | undefined,
): OutboxStatus {
  const open = entries.filter(({ hash }) => !results.has(hash)).length;
  return { open, ...compact({ sent: account?.pending }) };
}

/** Writes the progress of a sender queue to its status when it changed. Unknown values keep what was reported before. */
async function writeStatus(
  { kube, caches }: OutboxDeps,
  head: Stored<OutboxResource>,
  change: OutboxStatus,
): Promise<void> {
  const { message: _former, ...kept } = head.status ?? {};
  const status: OutboxStatus = { ...kept, ...change };
  if (stableJson(status) === stableJson(head.status ?? {})) return;
  const patch = { status: { ...status, message: status.message ?? null } };
  caches.outboxes.observe(await kube.patch(outboxType, head.metadata, patch, 'status'));
}
