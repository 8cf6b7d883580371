import { findById } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { boundTo, isPublished, readInstance } from '../../core/evm/instance.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { refOf } from '../../core/kube/objects.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { isSettling } from '../../core/networks/settling.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { settleAfterMs } from '../../core/outbox/freeNonce.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { addGapTransactions, archive, removeGapTransactions, settledBatches } from './archive.ts';
import { createReadRaw } from './bytes.ts';
import type { OutboxDeps } from './deps.ts';
import { findGapTransactions } from './fillNonceGap.ts';
import { type Collection, collectGarbage } from './garbageCollect.ts';
import { createQueueMemory, forgetPast, type QueueMemory } from './memory.ts';
import { peersOf } from './nodes.ts';
import { type OpenQueue, openQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { problemOf, progressOf, writeQueueStatus } from './queueStatus.ts';
import { type AccountState, readAccountState } from './readAccountState.ts';
import { resend } from './resend.ts';
import { settle } from './settle.ts';
import { type QueueStanding, queueStanding, settleFormer } from './standing.ts';

export type OutboxReconcile = (key: string) => Promise<ReconcileResult>;

const soonMs = 1000;
const longestMs = 10_000;
const collectEveryMs = 600_000;
const maxRemembered = 100_000;

/**
 * Reconciles sender queues; the key is `namespace/name`. Checks what happened to accepted transactions, sends again what
 * the node does not have, and archives what is settled. Throws Unavailable when a node cannot be reached.
 */
export function createOutboxReconcile(deps: OutboxDeps): OutboxReconcile {
  const memories = new Map<string, QueueMemory>();
  const collectedMs = createBoundedMap<string, number>(maxRemembered);

  async function collectWhenDue(key: string, collection: Collection): Promise<void> {
    const { nowMs } = collection;
    if (nowMs - (collectedMs.get(key) ?? 0) < collectEveryMs) return;
    await collectGarbage(deps, collection);
    collectedMs.set(key, nowMs);
  }

  return async (key) => {
    const head = deps.caches.outboxes.get(refOf(key));
    const network = head && findById(deps.caches.networks, head.metadata.namespace, head.spec.networkID);
    // A sender queue is deleted with its network.
    if (!head || !network || network.metadata.deletionTimestamp) {
      memories.delete(key);
      collectedMs.delete(key);
      return { state: 'Gone' };
    }
    const nowMs = await deps.kube.serverTimeMs();
    const standing = queueStanding(head, network);
    await collectWhenDue(key, { head, isOver: standing === 'over', nowMs });
    if (!hasOpen(head)) {
      memories.delete(key);
      if (head.status) await writeQueueStatus(deps, head, { open: 0 });
      return { state: 'Empty', requeueAfterMs: collectEveryMs };
    }
    const memory = memories.get(key) ?? createQueueMemory();
    memories.set(key, memory);
    return reconcileOpen(deps, { head, network, standing, memory, nowMs });
  };
}

const hasOpen = (head: Stored<OutboxResource>): boolean =>
  batchesOf(head).length + (head.spec.gapTransactions ?? []).length > 0;

/** Reports a node that cannot be used in the status. */
async function reconcileOpen(deps: OutboxDeps, facts: QueueFacts): Promise<ReconcileResult> {
  try {
    return await settleAndReport(deps, facts);
  } catch (error) {
    if (isAppError(error, 'Unavailable'))
      await writeQueueStatus(deps, facts.head, { message: error.message });
    throw error;
  }
}

interface QueueFacts {
  head: Stored<OutboxResource>;
  network: Stored<NetworkResource>;
  standing: QueueStanding;
  memory: QueueMemory;
  nowMs: number;
}

async function settleAndReport(deps: OutboxDeps, facts: QueueFacts): Promise<ReconcileResult> {
  const { head, standing, memory } = facts;
  const queue = await openQueue(deps, head, memory);
  const before = memory.results.size;
  const { isWaiting, account, sent } =
    standing === 'over' ? await settleOver(deps, facts, queue) : await settleCurrent(deps, facts, queue);
  const archived = await archiveSettled(deps, facts, queue);
  const message = isWaiting ? "the network's node is not available" : problemOf(memory);
  const isQuiet = memory.results.size === before && sent === 0;
  memory.quietReconciles = isQuiet ? memory.quietReconciles + 1 : 0;
  const progress = progressOf(queue, { memory, account, archived });
  // A transaction that is mined at once is not worth a status write.
  const isNews =
    message !== undefined ||
    head.status !== undefined ||
    progress.partly !== undefined ||
    (isQuiet && progress.open !== 0);
  if (isNews) await writeQueueStatus(deps, head, { ...progress, ...compact({ message }) });
  const pauseMs = Math.min(longestMs, soonMs * 1.5 ** memory.quietReconciles);
  return { state: standing, requeueAfterMs: Math.min(pauseMs, untilSettledMs(queue, facts)) };
}

/** Milliseconds until the first of what is open may be judged; infinite when nothing waits for that. */
function untilSettledMs({ entries }: OpenQueue, { memory, nowMs }: QueueFacts): number {
  const waits = entries.flatMap(({ key, acceptedMs }) => {
    const waitMs = acceptedMs + settleAfterMs - nowMs;
    return waitMs > 0 && !memory.results.has(key) ? waitMs : [];
  });
  return waits.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
}

interface Settled {
  /** For a node of the queue's chain. */
  isWaiting: boolean;
  account?: AccountState;
  /** The number of transactions that were sent again. */
  sent: number;
}

/** The chain is gone: nothing more can be learned about its transactions. */
async function settleOver(
  deps: OutboxDeps,
  { network, memory, nowMs }: QueueFacts,
  queue: OpenQueue,
): Promise<Settled> {
  const rpc = deps.rpcOf(network.metadata.uid);
  const isStopped = network.status?.state === 'Stopped';
  if (!rpc && !isStopped) return { isWaiting: true, sent: 0 };
  const peers = isStopped ? [] : peersOf(network, deps.rpcOf);
  if (rpc && !isStopped && !isPublished(await readInstance(rpc), network.status?.instance))
    return { isWaiting: true, sent: 0 };
  await settleFormer(isStopped ? undefined : rpc, { queue, peers, memory, nowMs });
  return { isWaiting: false, sent: 0 };
}

async function settleCurrent(
  deps: OutboxDeps,
  { head, network, standing, memory, nowMs }: QueueFacts,
  queue: OpenQueue,
): Promise<Settled> {
  const rpc = deps.rpcOf(network.metadata.uid);
  const { chainID: chainId, state } = network.status ?? {};
  // A node that starts again may lack blocks that it gets back: what was in them was not rolled back.
  const isStarting = state === 'Pending' && !isSettling(network);
  if (standing !== 'current' || isStarting || !rpc || chainId === undefined)
    return { isWaiting: true, sent: 0 };
  const account = await readAccountState(rpc, { account: head.spec.signer, chainId });
  const published = network.status?.instance;
  if (!isPublished(account.instance, published)) return { isWaiting: true, account, sent: 0 };
  const readRaw = createReadRaw(deps, head);
  const bound = boundTo(rpc, published);
  const sent = await syncWithNode(deps, head, {
    rpc: bound,
    queue,
    account,
    memory,
    chainId,
    readRaw,
    nowMs,
  });
  return { isWaiting: false, account, sent };
}

/** Syncs a sender queue with the node of its chain; returns the number of transactions that were sent again. */
async function syncWithNode(
  deps: OutboxDeps,
  head: Stored<OutboxResource>,
  snapshot: QueueSnapshot,
): Promise<number> {
  const { queue, account, memory } = snapshot;
  await settle(snapshot);
  forgetPast(memory, { entries: queue.entries, mined: account.mined });
  const sent = await resend(snapshot);
  if (sent > 0) deps.metrics.resent(sent);
  const filled = await findGapTransactions(deps, snapshot);
  const [first] = filled;
  if (first) {
    deps.log.warn('using up nonces so that later transactions can be mined', {
      queue: head.metadata.name,
      nonce: first.nonce,
      count: filled.length,
      reason: first.reason,
    });
    for (const _ of filled) deps.metrics.filled();
    await addGapTransactions(deps, head, filled);
  }
  const isPast = head.spec.gapTransactions?.some(({ nonce }) => nonce < account.mined) === true;
  const isStillAsked = queue.entries.some(
    ({ key, nonce }) => nonce < account.mined && !memory.results.has(key),
  );
  if (isPast && !isStillAsked) await removeGapTransactions(deps, head, account.mined);
  return sent + filled.length;
}

/** Returns the ids of the batches that were archived. */
async function archiveSettled(
  deps: OutboxDeps,
  { head, memory, nowMs }: QueueFacts,
  queue: OpenQueue,
): Promise<ReadonlySet<string>> {
  const settled = settledBatches(queue, memory.results, nowMs);
  const ids = new Set(settled.map(({ id }) => id));
  if (settled.length === 0) return ids;
  await archive(deps, head, settled);
  for (const { key, nonce, batch } of queue.entries) {
    const result = memory.results.get(key);
    if (!ids.has(batch.id) || !result) continue;
    deps.metrics.settled(result);
    memory.results.delete(key);
    memory.problems.delete(nonce);
  }
  return ids;
}
