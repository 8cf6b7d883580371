import { labels } from '../../core/api/names.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { findSubmitted, type NetworkRef } from '../../core/outbox/findSubmitted.ts';
import { listOutboxes, piecesOf } from '../../core/outbox/outboxObjects.ts';
import { hashesIn } from '../../core/outbox/packedTransactions.ts';

interface SentUnderKey {
  idempotencyKey: string;
  hash: string;
}

type Reader = Pick<Kube, 'get' | 'list'>;

/** Why a transaction without a receipt will never be mined; undefined while it may be. */
export async function whyDropped(
  kube: Reader,
  network: NetworkRef,
  { idempotencyKey, hash }: SentUnderKey,
): Promise<string | undefined> {
  const submitted = await findSubmitted(kube, network, idempotencyKey);
  const index = submitted?.hashes.indexOf(hash) ?? -1;
  if (submitted && index >= 0) {
    const result = submitted.results[index];
    if (!result) return undefined;
    return result.state === 'dropped' ? result.reason : 'the chain was rolled back past its block';
  }
  // It was sent under another key, or its record has been deleted since.
  if (await isOpen(kube, network, hash)) return undefined;
  return 'it is not on the chain, and not waiting to be sent';
}

async function isOpen(kube: Reader, { namespace, id }: NetworkRef, hash: string): Promise<boolean> {
  const heads = await listOutboxes(kube, namespace, `${labels.network}=${id},${labels.role}=queue`);
  for (const batch of heads.flatMap((head) => batchesOf(head))) {
    const pieces = await piecesOf(batch, (name) => kube.get(outboxType, { namespace, name }));
    if (pieces.flatMap(hashesIn).includes(hash)) return true;
  }
  return false;
}
