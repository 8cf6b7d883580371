import { labels } from '../../core/api/names.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { hashesIn, listOutboxes, piecesOf } from '../../core/outbox/outboxObjects.ts';
import { unpackResults } from '../../core/outbox/results.ts';

interface SentUnderKey {
  idempotencyKey: string;
  hash: string;
}

/**
 * Why a transaction without a receipt will never be mined; undefined while it may be. Outcomes are kept for an hour at
 * least, so a transaction that is no longer recorded was settled long ago.
 */
export async function whyDropped(
  kube: Pick<Kube, 'get' | 'list'>,
  { namespace, uid }: { namespace: string; uid: string },
  { idempotencyKey, hash }: SentUnderKey,
): Promise<string | undefined> {
  const selector = `${labels.network}=${uid},${labels.role} in (queue,archive)`;
  const objects = await listOutboxes(kube, namespace, selector);
  const batches = objects.flatMap((object) => batchesOf(object));
  for (const batch of batches.filter((one) => one.idempotencyKey === idempotencyKey)) {
    const pieces = await piecesOf(batch, (name) => kube.get(outboxType, { namespace, name }));
    const index = pieces.flatMap(hashesIn).indexOf(hash);
    if (index === -1) continue;
    const result = unpackResults(batch.results)[index];
    if (!result) return undefined;
    return result.state === 'dropped' ? result.reason : 'the chain went back to before its block';
  }
  return 'it is not on the chain, and not waiting to be sent';
}
