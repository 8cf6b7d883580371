import { labels } from '../api/names.ts';
import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { compact } from '../lib/compact.ts';
import { AppError } from '../lib/errors.ts';
import { batchesOf } from './batches.ts';
import { keyRecordNameOf, listOutboxes, piecesOf } from './outboxObjects.ts';
import { hashesIn } from './packedTransactions.ts';
import { type Result, unpackResults } from './results.ts';

/** What was accepted under an idempotency key. */
export interface Submitted {
  /** In the order of the submission. */
  hashes: string[];
  /** The outcome of each transaction, in the same order; empty while the submission is open. */
  results: Result[];
  /** Of what was submitted, if the submitter gave one. */
  digest?: string;
}

/** The same, with the account that sent it, and the chain. */
export interface FoundSubmission extends Submitted {
  signer: string;
  incarnation: string;
}

/** A network, as in its metadata. */
export interface NetworkRef {
  namespace: string;
  id: string;
}

type Reader = Pick<Kube, 'get' | 'list'>;

/**
 * The submission with this idempotency key on a network, in any incarnation and with any signer, read from Kubernetes;
 * undefined when the key is new.
 */
export async function findSubmitted(
  kube: Reader,
  network: NetworkRef,
  idempotencyKey: string,
): Promise<FoundSubmission | undefined> {
  const { namespace, id } = network;
  const heads = await listOutboxes(kube, namespace, `${labels.network}=${id},${labels.role}=queue`);
  return findSubmittedIn(kube, heads, idempotencyKey);
}

/** The same in these sender queues, which may come from a cache. */
export async function findSubmittedIn(
  kube: Pick<Kube, 'get'>,
  heads: readonly Stored<OutboxResource>[],
  idempotencyKey: string,
): Promise<FoundSubmission | undefined> {
  const answer = async ({ metadata, spec }: Stored<OutboxResource>, batch: OutboxBatch) => ({
    ...(await submittedOf(kube, metadata.namespace, batch)),
    signer: spec.signer,
    incarnation: spec.incarnation,
  });
  for (const head of heads) {
    const open = batchesOf(head).find((batch) => batch.idempotencyKey === idempotencyKey);
    if (open) return answer(head, open);
  }
  // A batch is archived before it leaves its sender queue, so it is found here if it was not there.
  const records = await Promise.all(
    heads.map(({ metadata: { namespace, name } }) =>
      findArchived(kube, { namespace, queue: name, idempotencyKey }),
    ),
  );
  const at = records.findIndex((batch) => batch !== undefined);
  const [head, archived] = [heads[at], records[at]];
  return head && archived && answer(head, archived);
}

interface KeyRef {
  namespace: string;
  /** Name of the sender queue. */
  queue: string;
  idempotencyKey: string;
}

/** The archived batch with this idempotency key: one read by name, however much is archived. */
export async function findArchived(
  kube: Pick<Kube, 'get'>,
  { namespace, queue, idempotencyKey }: KeyRef,
): Promise<OutboxBatch | undefined> {
  const record = await kube.get(outboxType, { namespace, name: keyRecordNameOf(queue, idempotencyKey) });
  return batchesOf(record).find((batch) => batch.idempotencyKey === idempotencyKey);
}

/** A batch as the answer to its idempotency key. */
export async function submittedOf(
  kube: Pick<Kube, 'get'>,
  namespace: string,
  batch: OutboxBatch,
): Promise<Submitted> {
  const pieces = await piecesOf(batch, (name) => kube.get(outboxType, { namespace, name }));
  return {
    hashes: pieces.flatMap(hashesIn),
    results: unpackResults(batch.results),
    ...compact({ digest: batch.digest }),
  };
}

/** Throws Conflict when something else was submitted under the key: its hashes do not answer this one. */
export function checkDigest(submitted: Pick<Submitted, 'digest'>, digest: string | undefined): void {
  const isOther = digest !== undefined && submitted.digest !== undefined && submitted.digest !== digest;
  if (!isOther) return;
  throw new AppError(
    'Conflict',
    'other transactions were submitted to this network with the same idempotency key: use a new key',
  );
}
