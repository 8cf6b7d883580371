import { labels } from '../api/names.ts';
import type { OutboxBatch } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Kube } from '../kube/kube.ts';
import { batchesOf } from './batches.ts';
import { hashesIn, listOutboxes, piecesOf } from './outboxObjects.ts';
import { unpackResults } from './results.ts';

type Reader = Pick<Kube, 'get' | 'list'>;

interface NetworkRef {
  namespace: string;
  uid: string;
}

/**
 * The hashes of the submission with this idempotency key on a network, in any incarnation and with any signer, read
 * from Kubernetes; undefined when the key is new.
 */
export async function findSubmittedHashes(
  kube: Reader,
  network: NetworkRef,
  idempotencyKey: string,
): Promise<string[] | undefined> {
  const [first] = await findBatches(kube, network, idempotencyKey);
  return first && hashesOf(kube, network, first);
}

/**
 * Why a submitted transaction will never be mined if it is in no block now; undefined while it is not settled. Outcomes
 * are kept for an hour at least, so one that is no longer recorded was settled long ago.
 */
export async function findDropReason(
  kube: Reader,
  network: NetworkRef,
  { idempotencyKey, hash }: { idempotencyKey: string; hash: string },
): Promise<string | undefined> {
  for (const batch of await findBatches(kube, network, idempotencyKey)) {
    const index = (await hashesOf(kube, network, batch)).indexOf(hash);
    if (index === -1) continue;
    if (batch.results === undefined) return undefined;
    const result = unpackResults(batch.results)[index];
    return result?.state === 'dropped' ? result.reason : 'the chain went back to before its block';
  }
  return 'it was settled long ago';
}

/** In the sender queues and in their archives, of all incarnations. */
async function findBatches(
  kube: Reader,
  { namespace, uid }: NetworkRef,
  idempotencyKey: string,
): Promise<OutboxBatch[]> {
  const selector = `${labels.network}=${uid},${labels.role} in (queue,archive)`;
  const objects = await listOutboxes(kube, namespace, selector);
  return objects.flatMap((object) =>
    batchesOf(object).filter((batch) => batch.idempotencyKey === idempotencyKey),
  );
}

async function hashesOf(kube: Reader, { namespace }: NetworkRef, batch: OutboxBatch): Promise<string[]> {
  const pieces = await piecesOf(batch, (name) => kube.get(outboxType, { namespace, name }));
  return pieces.flatMap(hashesIn);
}
