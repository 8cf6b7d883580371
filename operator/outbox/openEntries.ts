import type { GapTransaction, OutboxBatch, OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { entriesIn, piecesOf } from '../../core/outbox/outboxObjects.ts';
import type { OutboxDeps } from './deps.ts';

/** A transaction that is not settled. */
export interface OpenEntry {
  nonce: number;
  hash: string;
  /** 0x and hexadecimal digits. */
  raw: string;
  acceptedMs: number;
  batch: OutboxBatch;
}

/** All unsettled entries of a sender queue, by nonce. */
export interface OpenQueue {
  head: Stored<OutboxResource>;
  entries: OpenEntry[];
  /** By the nonce that they use up. */
  gapTransactions: Map<number, GapTransaction>;
}

export async function openQueue(
  { kube, caches }: OutboxDeps,
  head: Stored<OutboxResource>,
): Promise<OpenQueue> {
  const { namespace } = head.metadata;
  const find = (name: string) =>
    caches.outboxes.get({ namespace, name }) ?? kube.get(outboxType, { namespace, name });
  const entries: OpenEntry[] = [];
  for (const batch of batchesOf(head)) {
    const acceptedMs = parseRfc3339(batch.acceptedAt) ?? 0;
    const pieces = await piecesOf(batch, find);
    entries.push(...pieces.flatMap(entriesIn).map((entry) => ({ ...entry, acceptedMs, batch })));
  }
  const gapTransactions = new Map(
    (head.spec.gapTransactions ?? []).map((gapTransaction) => [gapTransaction.nonce, gapTransaction]),
  );
  return { head, entries, gapTransactions };
}
