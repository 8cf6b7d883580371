import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource, OutboxStatus } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { isAppError } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { addFiller, archive, removeFillers, settledBatches } from './archive.ts';
import type { OutboxDeps } from './deps.ts';
import { findFiller } from './fillNonceGap.ts';
import { tidy } from './garbageCollect.ts';
import { type Life, lifeOf, settleFormer } from './incarnation.ts';
import type { Sight } from './laneSnapshot.ts';
import { createMemory, type LaneMemory } from './memory.ts';
import { type OpenLane, openLane } from './openEntries.ts';
import { type Look, lookAt } from './readAccountState.ts';
import { resend } from './resend.ts';
import { settle } from './settle.ts';

export type OutboxReconcile = (key: string) => Promise<ReconcileResult>;

const soonMs = 1000;
const longestMs = 10_000;
const tidyMs = 600_000;

/**
 * A reconcile of lanes; the key is `namespace/name`. Looks at what became of accepted transactions, sends again what
 * the node does not have, and archives what is settled. Throws Unavailable when a node cannot be asked.
 */
export function createOutboxReconcile(deps: OutboxDeps): OutboxReconcile {
  const memories = new Map<string, LaneMemory>();

  return async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    const head = deps.caches.outboxes.get({ namespace, name });
    const [network] = head ? deps.caches.networks.byIndex('uid', head.spec.networkID) : [];
    // A lane goes with its network.
    if (!head || !network || network.metadata.deletionTimestamp) {
      memories.delete(key);
      return { state: 'Gone' };
    }
    const nowMs = await deps.kube.serverTimeMs();
    const life = lifeOf(head, network);
    const hasOpen = batchesOf(head).length + (head.spec.fillers ?? []).length > 0;
    if (!hasOpen) {
      memories.delete(key);
      if (head.status) await tell(deps, head, { open: 0 });
      await tidy(deps, { head, isOver: life === 'over', nowMs });
      return { state: 'Empty', requeueAfterMs: tidyMs };
    }
    const memory = memories.get(key) ?? createMemory();
    memories.set(key, memory);
    try {
      return await lookAfter(deps, { head, network, life, memory, nowMs });
    } catch (error) {
      if (isAppError(error, 'Unavailable')) await tell(deps, head, { message: error.message });
      throw error;
    }
  };
}

interface Visit {
  head: OutboxResource;
  network: NetworkResource;
  life: Life;
  memory: LaneMemory;
  nowMs: number;
}

async function lookAfter(deps: OutboxDeps, visit: Visit): Promise<ReconcileResult> {
  const { head, network, life, memory, nowMs } = visit;
  const rpc = deps.rpcOf(network.metadata.uid ?? '');
  const lane = await openLane(deps, head);
  const before = memory.results.size;
  const look = life === 'present' && rpc ? await lookAt(rpc, head.spec.signer) : undefined;
  // Another chain answers already; the network will soon be told of it.
  const isOther = look !== undefined && look.genesis !== head.spec.genesis;
  const isStopped = network.status?.state === 'Stopped';
  const isWaiting = life === 'over' ? !rpc && !isStopped : life === 'waiting' || !look || isOther;
  if (life === 'over' && !isWaiting) await settleFormer(isStopped ? undefined : rpc, lane, memory);
  const sent =
    look && rpc && !isOther ? await lookFurther(deps, head, { rpc, lane, look, memory, nowMs }) : 0;
  await archiveSettled(deps, visit, lane);
  const message = isWaiting ? 'the network’s node is not there' : troubleOf(memory);
  const isQuiet = memory.results.size === before && sent === 0;
  memory.quietLooks = isQuiet ? memory.quietLooks + 1 : 0;
  const progress = progressOf(lane, memory, look);
  // What goes through at once is not worth a write.
  const isNews = message !== undefined || head.status !== undefined || (isQuiet && progress.open !== 0);
  if (isNews) await tell(deps, head, { ...progress, ...(message ? { message } : {}) });
  return { state: life, requeueAfterMs: Math.min(longestMs, soonMs * 1.5 ** memory.quietLooks) };
}

/** What the node tells of a lane whose chain is there; the count of what was sent again. */
async function lookFurther(deps: OutboxDeps, head: OutboxResource, sight: Sight): Promise<number> {
  const { lane, look, memory } = sight;
  await settle(sight);
  const sent = await resend(sight);
  if (sent > 0) deps.meters.resent(sent);
  const filler = await findFiller(deps, sight);
  if (filler) {
    deps.log.warn('a nonce is used up so that later transactions are mined', {
      lane: head.metadata.name,
      nonce: filler.nonce,
      reason: filler.reason,
    });
    deps.meters.filled();
    await addFiller(deps, head, filler);
  }
  const isPast = head.spec.fillers?.some(({ nonce }) => nonce < look.mined) === true;
  const isStillAsked = lane.entries.some(
    ({ hash, nonce }) => nonce < look.mined && !memory.results.has(hash),
  );
  if (isPast && !isStillAsked) await removeFillers(deps, head, look.mined);
  return sent + (filler ? 1 : 0);
}

async function archiveSettled(
  deps: OutboxDeps,
  { head, memory, nowMs }: Visit,
  lane: OpenLane,
): Promise<void> {
  const settled = settledBatches(lane, memory.results, nowMs);
  if (settled.length === 0) return;
  await archive(deps, head, settled);
  const ids = new Set(settled.map(({ id }) => id));
  for (const { hash, nonce, batch } of lane.entries) {
    const result = memory.results.get(hash);
    if (!ids.has(batch.id) || !result) continue;
    deps.meters.settled(result);
    memory.results.delete(hash);
    memory.troubles.delete(nonce);
  }
}

function troubleOf({ troubles }: LaneMemory): string | undefined {
  const [first] = [...troubles].sort(([a], [b]) => a - b);
  return first && `nonce ${first[0]}: ${first[1].reason}`.slice(0, 1000);
}

function progressOf({ entries }: OpenLane, { results }: LaneMemory, look: Look | undefined): OutboxStatus {
  const open = entries.filter(({ hash }) => !results.has(hash)).length;
  return { open, ...(look ? { sent: look.pending } : {}) };
}

/** Tells in the status how far a lane is, when that is new. What is not known now stays as it was told. */
async function tell({ kube, caches }: OutboxDeps, head: OutboxResource, told: OutboxStatus): Promise<void> {
  const { message: _former, ...kept } = head.status ?? {};
  const status: OutboxStatus = { ...kept, ...told };
  if (stableJson(status) === stableJson(head.status ?? {})) return;
  const patch = { status: { ...status, message: status.message ?? null } };
  caches.outboxes.observe(await kube.patch(outboxType, head.metadata, patch, 'status'));
}
