import type { OutboxResource } from '../api/resources/outbox.ts';
import { isProcess } from '../evm/instance.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { type Clock, parseRfc3339 } from '../lib/clock.ts';
import { batchesOf } from './batches.ts';
import type { Taken } from './draft.ts';
import { isUndone, marksOf } from './marks.ts';
import { hashesIn } from './packedTransactions.ts';
import type { Submission } from './submission.ts';

/**
 * The API server that accepted a transaction sends it. After this time, by the cluster's clock, it has sent it or never will:
 * its first attempt begins within half of it.
 */
export const graceMs = 2500;

/** From then on nothing can arrive any more. Times of acceptance have whole seconds: one may have been cut by up to a second. */
export const settleAfterMs = graceMs + 1000;

interface FreeNonceDeps {
  kube: Pick<Kube, 'serverTimeMs'>;
  clock: Clock;
}

type Free = Pick<Taken, 'first' | 'undone'>;
type Head = Stored<OutboxResource> | undefined;

/** Beyond this, the operator settles open transactions. */
const maxAsked = 250;
const pauseMs = 25;

/**
 * The first free nonce: after all that the sender queue has allocated, and after those that the node counts for other
 * users of the account. If the node counts fewer than the sender queue, the chain was rolled back, or something is on its
 * way. A process that lives loses nothing by itself: what it acknowledged and no longer has was undone, and its nonce is
 * free again. Any concurrent allocation changes the sender queue, so the write fails.
 */
export async function freeNonce(
  deps: FreeNonceDeps,
  head: Head,
  group: readonly Submission[],
): Promise<Free> {
  const counted = Math.max(...group.map(({ node }) => node.pendingCount));
  const { next = 0, gapTransactions = [] } = head?.spec ?? {};
  if (counted >= next) return { first: counted, undone: new Map() };
  const [sample] = group;
  const taken: Free = { first: next, undone: new Map() };
  if (!sample || gapTransactions.length > 0) return taken;
  const open = openIn(head, counted);
  if (open.length === 0) return { first: await sample.node.countNonces(), undone: new Map() };
  if (!isJudgeable(open, sample)) return taken;
  return (await areUndone(deps, open, sample)) ? undoneFrom(open, await sample.node.countNonces()) : taken;
}

interface OpenNonce {
  nonce: number;
  hash: string | undefined;
  batch: string;
  acceptedMs: number;
  /** The process that it was accepted for; undefined when it may have to be sent again. */
  instance: string | undefined;
}

/** The nonces from `counted` on that the sender queue has given to transactions, but for those that were undone. */
function openIn(head: Head, counted: number): OpenNonce[] {
  const marks = marksOf(head);
  return batchesOf(head).flatMap((batch) => {
    const { id, first, count, acceptedAt } = batch;
    const mark = marks[id];
    const hashes = hashesIn(batch);
    return Array.from({ length: count }, (_, index) => ({
      nonce: first + index,
      hash: hashes[index],
      batch: id,
      acceptedMs: parseRfc3339(acceptedAt) ?? 0,
      instance: mark?.queued ? undefined : mark?.instance,
    })).filter(({ nonce }) => nonce >= counted && !isUndone(mark, nonce));
  });
}

/** Whether the process that answers is the one that was to acknowledge all of them. */
function isJudgeable(open: readonly OpenNonce[], { node, progressOf }: Submission): boolean {
  if (!isProcess(node.instance) || open.length > maxAsked) return false;
  return open.every(
    ({ hash, batch, instance }) =>
      hash !== undefined && instance === node.instance && progressOf?.({ batch, hash }) !== 'sending',
  );
}

/** Waits until each has arrived, or its sender's time is up. */
async function areUndone(
  { kube, clock }: FreeNonceDeps,
  open: readonly OpenNonce[],
  { node, progressOf }: Submission,
): Promise<boolean> {
  const hashes = open.flatMap(({ hash }) => hash ?? []);
  for (;;) {
    const nowMs = await kube.serverTimeMs();
    const known = await node.areKnown(hashes);
    if (known.includes(true)) return false;
    const isPast = ({ hash = '', batch, acceptedMs }: OpenNonce) =>
      progressOf?.({ batch, hash }) === 'acknowledged' || nowMs - acceptedMs >= settleAfterMs;
    if (open.every(isPast)) return true;
    await clock.sleep(pauseMs);
  }
}

/** Something may have been mined in between. */
function undoneFrom(open: readonly OpenNonce[], counted: number): Free {
  const undone = new Map<string, number>();
  for (const { nonce, batch } of open) {
    if (nonce < counted) continue;
    undone.set(batch, Math.min(nonce, undone.get(batch) ?? nonce));
  }
  return { first: counted, undone };
}
