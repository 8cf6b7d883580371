import { labels } from '../api/names.ts';
import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { versionOf } from '../kube/objects.ts';
import { batchesOf } from './batches.ts';
import type { SenderQueuesOptions } from './deps.ts';
import { findArchived, type Submitted, submittedOf } from './findSubmitted.ts';
import { isUndone, marksOf } from './marks.ts';
import { outboxPages, queueNameOf, type SenderQueueRef } from './outboxObjects.ts';
import { undone } from './results.ts';

/** A sender queue as this process last wrote or read it. Kubernetes refuses a write over an outdated version. */
export interface KnownQueue {
  /** Its object, read when not known; undefined while it does not exist. */
  head(): Promise<Stored<OutboxResource> | undefined>;
  /** Stores the answer to a write of this process. */
  wrote(head: Stored<OutboxResource>): void;
  /** Drops what is known because it is outdated. */
  forget(): void;
  /** What was submitted under an idempotency key as of the sender queue's current object; undefined for a new key. */
  findByKey(idempotencyKey: string): Promise<Submitted | undefined>;
  /**
   * The batch that a write added, also if it was archived since the sender queue counted `archived` moves. Reads the
   * whole archive in that case: use it only when it is unknown whether a write took effect.
   */
  findWritten(batch: Pick<OutboxBatch, 'id' | 'first'>, archived: number): Promise<OutboxBatch | undefined>;
}

export function createKnownQueue(
  kube: Pick<Kube, 'get' | 'list'>,
  ref: SenderQueueRef,
  watched: SenderQueuesOptions['watched'] = () => undefined,
): KnownQueue {
  const { namespace } = ref;
  const queue = queueNameOf(ref);
  let known: { head: Stored<OutboxResource> | undefined } | undefined;

  const head = async () => {
    known ??= { head: await kube.get(outboxType, { namespace, name: queue }) };
    // The operator has moved something to the archive: a write over what is known would be refused.
    const seen = known.head && watched({ namespace, name: queue });
    if (isNewer(seen, known.head)) known = { head: seen };
    return known.head;
  };
  return {
    head,
    wrote: (written) => {
      known = { head: written };
    },
    forget: () => {
      known = undefined;
    },
    async findByKey(idempotencyKey) {
      const present = await head();
      const open = batchesOf(present).find((batch) => batch.idempotencyKey === idempotencyKey);
      // A batch is archived before it leaves the sender queue, and the sender queue counts how often that happened.
      const isInArchive = !open && (present?.spec.archived ?? 0) > 0;
      const batch = isInArchive ? await findArchived(kube, { namespace, queue, idempotencyKey }) : open;
      if (!batch) return undefined;
      const submitted = await submittedOf(kube, namespace, batch);
      // If a batch was undone in part, the operator reports the outcome of each transaction.
      const isWhole = open && isUndone(marksOf(present)[batch.id], batch.first);
      return isWhole ? { ...submitted, results: submitted.hashes.map(() => undone) } : submitted;
    },
    async findWritten({ id, first }, archived) {
      const isIt = (batch: OutboxBatch) => batch.id === id && batch.first === first;
      const present = await head();
      const open = batchesOf(present).find(isIt);
      // A write that took effect has taken its nonces.
      const isTaken = (present?.spec.next ?? Number.POSITIVE_INFINITY) > first;
      if (open || !isTaken || (present?.spec.archived ?? 0) <= archived) return open;
      const archive = `${labels.queue}=${queue},${labels.role}=archive`;
      for await (const { items } of outboxPages(kube, namespace, archive)) {
        const written = items.flatMap((object) => batchesOf(object)).find(isIt);
        if (written) return written;
      }
      return undefined;
    },
  };
}

function isNewer(
  seen: Stored<OutboxResource> | undefined,
  known: Stored<OutboxResource> | undefined,
): boolean {
  return (
    seen?.metadata.uid === known?.metadata.uid && !!seen && !!known && versionOf(seen) > versionOf(known)
  );
}
