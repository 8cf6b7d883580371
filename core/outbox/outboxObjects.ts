import { apiVersion, labels } from '../api/names.ts';
import type { OwnerReference, Stored } from '../api/resources/kubeObject.ts';
import type { OutboxBatch, OutboxResource, OutboxRole, OutboxSpec } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Kube, ListPage } from '../kube/kube.ts';
import { listPages } from '../kube/pages.ts';
import { compact } from '../lib/compact.ts';
import { AppError } from '../lib/errors.ts';
import { hashOf } from '../lib/hash.ts';
import { batchesOf } from './batches.ts';

/** One signer on one incarnation of a network: the scope of nonces. */
export interface SenderQueueRef {
  /** Namespace of the network. */
  namespace: string;
  network: { name: string; uid: string; id: string };
  /** status.enclaveID of the network. */
  incarnation: string;
  /** Address, in upper or lower case. */
  signer: string;
}

/** The name of a sender queue's Outbox. */
export function queueNameOf({ network, incarnation, signer }: SenderQueueRef): string {
  return `o${hashOf([network.id, incarnation, signer.toLowerCase()]).slice(0, 24)}`;
}

/** The name of the Outbox that an archived batch with an idempotency key has for itself: it is found by its name. */
export function keyRecordNameOf(queueName: string, idempotencyKey: string): string {
  return `k${hashOf([queueName, idempotencyKey]).slice(0, 40)}`;
}

/** An Outbox of a sender queue, owned by its network. Bytes and archives have a name of their own, or a suffix. */
export function newOutbox(
  ref: SenderQueueRef,
  role: OutboxRole,
  { suffix = '', name, ...spec }: Partial<OutboxSpec> & { suffix?: string; name?: string },
): OutboxResource {
  const queue = queueNameOf(ref);
  const { network, namespace, incarnation, signer } = ref;
  return {
    apiVersion,
    kind: 'Outbox',
    metadata: {
      name: name ?? `${queue}${suffix}`,
      namespace,
      labels: { [labels.network]: network.id, [labels.queue]: queue, [labels.role]: role },
      ownerReferences: [ownerOf(ref)],
    },
    spec: { role, networkID: network.id, incarnation, signer, ...spec },
  };
}

function ownerOf({ network }: SenderQueueRef): OwnerReference {
  return { apiVersion, kind: 'Network', name: network.name, uid: network.uid };
}

/** The sender queue that an object belongs to. */
export function queueRefOf({ metadata, spec }: OutboxResource): SenderQueueRef {
  const [owner] = metadata.ownerReferences ?? [];
  return {
    namespace: metadata.namespace,
    network: { name: owner?.name ?? '', uid: owner?.uid ?? '', id: spec.networkID },
    incarnation: spec.incarnation,
    signer: spec.signer,
  };
}

/**
 * An object with another spec, to replace the one that was read. An empty entry instead of its managed fields ends
 * their tracking (kubernetes.io, server-side apply, "Clearing managedFields"), which would cost kube-apiserver as much
 * as the rest of the write.
 */
export function withSpec({ metadata, ...rest }: Stored<OutboxResource>, spec: OutboxSpec): OutboxResource {
  const { name, namespace, uid, resourceVersion, labels: own, annotations, ownerReferences } = metadata;
  const kept = {
    name,
    namespace,
    uid,
    resourceVersion,
    labels: own,
    ...compact({ annotations }),
    ownerReferences,
    managedFields: [{}],
  };
  return { ...rest, metadata: kept as OutboxResource['metadata'], spec };
}

/** All objects of the selected sender queues, read from Kubernetes. */
export async function listOutboxes(
  kube: Pick<Kube, 'list'>,
  namespace: string,
  labelSelector: string,
): Promise<Stored<OutboxResource>[]> {
  const found: Stored<OutboxResource>[] = [];
  for await (const { items } of outboxPages(kube, namespace, labelSelector)) found.push(...items);
  return found;
}

/** The same a page at a time: archives of a long replay are a hundred megabytes. */
export function outboxPages(
  kube: Pick<Kube, 'list'>,
  namespace: string,
  labelSelector: string,
): AsyncGenerator<ListPage<OutboxResource>> {
  return listPages(kube, outboxType, { namespace, labelSelector, limit: 20 });
}

type Find = (name: string) => OutboxResource | undefined | Promise<OutboxResource | undefined>;

/** The pieces of a batch: itself, or those in its parts. Unavailable when a part does not exist (yet). */
export async function piecesOf(batch: OutboxBatch, find: Find): Promise<OutboxBatch[]> {
  if (!batch.parts) return [batch];
  const objects = await Promise.all(batch.parts.map(find));
  const pieces = objects.flatMap((object) => batchesOf(object).filter(({ id }) => id === batch.id));
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  if (count !== batch.count) {
    throw new AppError('Unavailable', 'a part of the Outbox does not exist yet', { retryAfterSeconds: 1 });
  }
  return pieces;
}
