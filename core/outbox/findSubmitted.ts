import { labels } from '../api/names.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Kube } from '../kube/kube.ts';
import { batchesOf } from './batches.ts';
import { hashesIn, listOutboxes, piecesOf } from './outboxObjects.ts';

/**
 * The hashes of the submission with this idempotency key on a network, in any incarnation and with any signer, read
 * from Kubernetes; undefined when the key is new.
 */
export async function findSubmittedHashes(
  kube: Pick<Kube, 'get' | 'list'>,
  network: { namespace: string; uid: string },
  idempotencyKey: string,
): Promise<string[] | undefined> {
  const { namespace, uid } = network;
  const selector = `${labels.network}=${uid},${labels.role} in (queue,archive)`;
  const objects = await listOutboxes(kube, namespace, selector);
  const batch = objects
    .flatMap((object) => batchesOf(object))
    .find((one) => one.idempotencyKey === idempotencyKey);
  if (!batch) return undefined;
  const pieces = await piecesOf(batch, (name) => kube.get(outboxType, { namespace, name }));
  return pieces.flatMap(hashesIn);
}
