import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource, OutboxStatus } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { isSameChain, mayBeSameChain } from '../../core/evm/chainIdentity.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { addGapTransactions, adoptChain, archive, removeGapTransactions, settledBatches } from './archive.ts';
import { createReadRaw } from './bytes.ts';
import type { OutboxDeps } from './deps.ts';
import { findGapTransactions } from './fillNonceGap.ts';
import { type Collection, collectGarbage } from './garbageCollect.ts';
import { createQueueMemory, forgetPast, type QueueMemory } from './memory.ts';
import { peersOf } from './nodes.ts';
import { type OpenQueue, openQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';
import { type AccountState, readAccountState } from './readAccountState.ts';
import { resend } from './resend.ts';
import { settle } from './settle.ts';
import { shareWorkers } from './shareWorkers.ts';
import { dropAll, type QueueStanding, queueStanding, settleFormer } from './standing.ts';

export type OutboxReconcile = (key: string) => Promise<ReconcileResult>;

const soonMs = 1000;
const longestMs = 10_000;
const tidyMs = 600_000;
/** A node that runs another chain for so long does so for good, whatever the network's status says. */
const otherChainMs = 60_000;
const maxRemembered = 100_000;

/**
 * Reconciles sender queues; the key is `namespace/name`. Checks what happened to accepted transactions, sends again what
 * the node does not have, and archives what is settled. Throws Unavailable when a node cannot be reached.
 */
export function createOutboxReconcile(deps: OutboxDeps): OutboxReconcile {
  const memories = new Map<string, QueueMemory>();
  const tidiedMs = createBoundedMap<string, number>(maxRemembered);

  async function tidy(key: string, collection: Collection): Promise<void> {
    const { nowMs } = collection;
    if (nowMs - (tidiedMs.get(key) ?? 0) < tidyMs) return;
    await collectGarbage(deps, collection);
    tidiedMs.set(key, nowMs);
  }

  return shareWorkers(async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    const head = deps.caches.outboxes.get({ namespace, name });
    const [network] = head ? deps.caches.networks.byIndex('uid', head.spec.networkID) : [];
    // A sender queue is deleted with its network.
    if (!head || !network || network.metadata.deletionTimestamp) {
      memories.delete(key);
      tidiedMs.delete(key);
      return { state: 'Gone' };
    }
    const nowMs = await deps.kube.serverTimeMs();
    const standing = queueStanding(head, network);
    await tidy(key, { head, isOver: standing === 'over', nowMs });
    if (!hasOpen(head)) {
      memories.delete(key);
      if (head.status) await writeStatus(deps, head, { open: 0 });
      return { state: 'Empty', requeueAfterMs: tidyMs };
    }
    const memory = memories.get(key) ?? createQueueMemory();
    memories.set(key, memory);
    return visit(deps, { head, network, standing, memory, nowMs });
  });
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
  const queue = await openQueue(deps, head, memory);
  const before = memory.results.size;
  const { isWaiting, account, sent } =
    standing === 'over' ? await settleOver(deps, visit, queue) : await settleCurrent(deps, visit, queue);
  const archived = await archiveSettled(deps, visit, queue);
  const message = isWaiting ? "the network's node is not available" : problemOf(memory);
  const isQuiet = memory.results.size === before && sent === 0;
  memory.quietLooks = isQuiet ? memory.quietLooks + 1 : 0;
  const progress = progressOf(queue, { memory, account, archived });
  // A transaction that is mined at once is not worth a status write.
  const isNews =
    message !== undefined ||
    head.status !== undefined ||
    progress.partly !== undefined ||
    (isQuiet && progress.open !== 0);
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
async function settleOver(
  deps: OutboxDeps,
  { network, memory, nowMs }: Visit,
  queue: OpenQueue,
): Promise<Settled> {
  const rpc = deps.rpcOf(network.metadata.uid);
  const isStopped = network.status?.state === 'Stopped';
  if (!rpc && !isStopped) return { isWaiting: true, sent: 0 };
  const peers = isStopped ? [] : peersOf(network, deps.rpcOf);
  await settleFormer(isStopped ? undefined : rpc, { queue, peers, memory, nowMs });
  return { isWaiting: false, sent: 0 };
}

async function settleCurrent(
  deps: OutboxDeps,
  { head, network, standing, memory, nowMs }: Visit,
  queue: OpenQueue,
): Promise<Settled> {
  const rpc = deps.rpcOf(network.metadata.uid);
  const { chainID: chainId, state } = network.status ?? {};
  // A node that starts again may lack blocks that it gets back: what was in them was not rolled back.
  const isStarting = state === 'Pending';
  if (standing !== 'current' || isStarting || !rpc || chainId === undefined)
    return { isWaiting: true, sent: 0 };
  const account = await readAccountState(rpc, { account: head.spec.signer, chainId });
  if (!isSameChain(head.spec.chain, account.identity)) {
    // Another chain already answers; usually the network's status will soon say so.
    memory.otherChainSinceMs ??= nowMs;
    const isForGood = state === 'Operational' && nowMs - memory.otherChainSinceMs >= otherChainMs;
    const isKept = mayBeSameChain(head.spec.chain, account.identity);
    if (isForGood && isKept) await adoptChain(deps, head, account.identity);
    if (isForGood && !isKept) dropAll(queue, memory);
    return { isWaiting: !isForGood, account, sent: 0 };
  }
  delete memory.otherChainSinceMs;
  const readRaw = createReadRaw(deps, head);
  const sent = await lookFurther(deps, head, { rpc, queue, account, memory, chainId, readRaw, nowMs });
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
    ({ hash, nonce }) => nonce < account.mined && !memory.results.has(hash),
  );
  if (isPast && !isStillAsked) await removeGapTransactions(deps, head, account.mined);
  return sent + filled.length;
}

/** Returns the ids of the batches that were archived. */
async function archiveSettled(
  deps: OutboxDeps,
  { head, memory, nowMs }: Visit,
  queue: OpenQueue,
): Promise<ReadonlySet<string>> {
  const settled = settledBatches(queue, memory.results, nowMs);
  const ids = new Set(settled.map(({ id }) => id));
  if (settled.length === 0) return ids;
  await archive(deps, head, settled);
  for (const { hash, nonce, batch } of queue.entries) {
    const result = memory.results.get(hash);
    if (!ids.has(batch.id) || !result) continue;
    deps.metrics.settled(result);
    memory.results.delete(hash);
    memory.problems.delete(nonce);
  }
  return ids;
}

function problemOf({ problems }: QueueMemory): string | undefined {
  const [first] = [...problems].sort(([a], [b]) => a - b);
  return first && `nonce ${first[0]}: ${first[1].reason}`.slice(0, 1000);
}

interface Progress {
  memory: QueueMemory;
  account: AccountState | undefined;
  /** Ids of the batches that were just archived. */
  archived: ReadonlySet<string>;
}

function progressOf({ head }: OpenQueue, { memory, account, archived }: Progress): OutboxStatus {
  const batches = batchesOf(head).filter(({ id }) => !archived.has(id));
  const open = batches.reduce((sum, { count }) => sum + count, 0) - memory.results.size;
  const [first] = batches;
  // The chain may have been rolled back since the last time: what was mined must still be known.
  const before = head.status?.partly;
  const mined = Math.max(account?.mined ?? 0, before?.batch === first?.id ? (before?.mined ?? 0) : 0);
  const partly = first && mined > first.first ? { batch: first.id, mined } : undefined;
  return { open, ...compact({ sent: account?.pending, partly }) };
}

/** Writes the progress of a sender queue to its status when it changed. Unknown values keep what was reported before. */
async function writeStatus(
  { kube, caches }: OutboxDeps,
  head: Stored<OutboxResource>,
  change: OutboxStatus,
): Promise<void> {
  const { message: _former, partly: _partly, ...kept } = head.status ?? {};
  const status: OutboxStatus = { ...kept, ...change };
  if (stableJson(status) === stableJson(head.status ?? {})) return;
  const patch = { status: { ...status, message: status.message ?? null, partly: status.partly ?? null } };
  caches.outboxes.observe(await kube.patch(outboxType, head.metadata, patch, 'status'));
}
