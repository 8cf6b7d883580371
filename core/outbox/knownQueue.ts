import { labels } from '../api/names.ts';
import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { batchesOf } from './batches.ts';
import { hashesIn, listOutboxes, piecesOf, queueNameOf, type SenderQueueRef } from './outboxObjects.ts';

/** A sender queue as this process last wrote or read it. Kubernetes refuses a write over an outdated version. */
export interface KnownQueue {
  /** Its object, read when not known; undefined while it does not exist. */
  head(): Promise<Stored<OutboxResource> | undefined>;
  /** Stores the answer to a write of this process. */
  wrote(head: Stored<OutboxResource>): void;
  /** Drops what is known because it is outdated. */
  forget(): void;
  /** The matching batch, in the sender queue or in the archive as of the sender queue's current object. */
  find(fits: (batch: OutboxBatch) => boolean): Promise<OutboxBatch | undefined>;
  hashesOf(batch: OutboxBatch): Promise<string[]>;
}

type Reader = Pick<Kube, 'get' | 'list'>;

export function createKnownQueue(kube: Reader, queue: SenderQueueRef): KnownQueue {
  const { namespace } = queue;
  const name = queueNameOf(queue);
  const inArchive = `${labels.queue}=${name},${labels.role}=archive`;
  let known: { head: Stored<OutboxResource> | undefined } | undefined;
  let archive: { version: number; batches: readonly OutboxBatch[] } = { version: 0, batches: [] };

  const head = async () => {
    known ??= { head: await kube.get(outboxType, { namespace, name }) };
    return known.head;
  };
  /** Batches are archived before they leave the sender queue, and the sender queue counts how often that happened. */
  const archived = async (version: number): Promise<readonly OutboxBatch[]> => {
    if (archive.version >= version) return archive.batches;
    const objects = await listOutboxes(kube, namespace, inArchive);
    archive = { version, batches: objects.flatMap((object) => batchesOf(object)) };
    return archive.batches;
  };
  return {
    head,
    wrote: (written) => {
      known = { head: written };
    },
    forget: () => {
      known = undefined;
    },
    async find(fits) {
      const present = await head();
      const inQueue = batchesOf(present).find(fits);
      return inQueue ?? (await archived(present?.spec.archived ?? 0)).find(fits);
    },
    async hashesOf(batch) {
      const pieces = await piecesOf(batch, (part) => kube.get(outboxType, { namespace, name: part }));
      return pieces.flatMap(hashesIn);
    },
  };
}
