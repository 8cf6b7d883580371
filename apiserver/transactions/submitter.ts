import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedParts, SubmittedItem } from '../../core/api/rest/transaction.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { type FoundSubmission, findSubmitted } from '../../core/outbox/findSubmitted.ts';
import type { SenderQueueRef } from '../../core/outbox/outboxObjects.ts';
import type { Send, Sent } from '../../core/outbox/send.ts';
import type { SenderQueues } from '../../core/outbox/senderQueues.ts';
import { promiseAgain } from '../../core/outbox/sending/repeat.ts';
import { forCaller, type Store } from '../store/kubeErrors.ts';
import type { FindAccount } from './defaultKey.ts';
import type { NodeOf } from './nodes.ts';

/** Transactions of a user for one network, in order. */
interface UserSubmission {
  userId: string;
  /** In the workspace that the user acts in; checked by the caller. */
  network: Stored<NetworkResource>;
  /** Those without a sender are sent by the user's default key. */
  items: readonly (SubmittedItem & RecordedParts)[];
  /** Chosen by the caller: nothing is sent twice with the same key in one incarnation of the network. */
  idempotencyKey?: string | undefined;
  /** Hash of what is submitted under the key: something else under it is a Conflict. */
  digest?: string | undefined;
  requestId?: string | undefined;
  /** What was accepted under the key before, if that is known. */
  known?: FoundSubmission | undefined;
}

/**
 * Signs a user's transactions with the default key and sends each once. Resolves once the signed bytes are durable.
 * Rejects with BadRequest (the paths of `details` begin with `[<index>]` of the invalid item) or Unavailable; then
 * nothing is sent. Await the outcome with `awaitReceipts` of core/evm/receipts.ts and `nodeOf`.
 */
export type SubmitFor = (submission: UserSubmission) => Promise<Sent>;

/**
 * What was sent under an idempotency key on a network, whichever key signed it; undefined if nothing was. A user may have
 * replaced the default key since.
 */
export type FindAccepted = (
  network: Stored<NetworkResource>,
  idempotencyKey: string,
) => Promise<FoundSubmission | undefined>;

export interface SubmitterDeps {
  send: Send;
  queues: Pick<SenderQueues, 'markQueued'>;
  findAccount: FindAccount;
  nodeOf: NodeOf;
  /** Counts transactions that were accepted. */
  countTransactions?(namespace: string, count: number): void;
}

export function createSubmitFor(deps: SubmitterDeps): SubmitFor {
  const { send, queues, findAccount, nodeOf, countTransactions } = deps;
  const promise = async (queue: SenderQueueRef, known: FoundSubmission, idempotencyKey = '') =>
    promiseAgain(queues, { queue, idempotencyKey, known });
  return async ({ userId, network, items, idempotencyKey, digest, requestId, known: before }) => {
    const { incarnation, ...node } = await nodeOf(network);
    const known = await findAccount(userId);
    const isOther = items.some(
      ({ from }) => from !== undefined && from.toLowerCase() !== known.address.toLowerCase(),
    );
    // The cached key may have been replaced.
    const account = isOther ? await findAccount(userId, true) : known;
    const { name, namespace, uid } = network.metadata;
    const signer = account.address;
    const queue = { namespace, network: { name, uid }, incarnation, signer };
    // Another key than the one that signed it sends nothing new under the same key.
    const isOfOther = before && before.signer.toLowerCase() !== signer.toLowerCase();
    if (isOfOther) {
      const former = { ...queue, incarnation: before.incarnation, signer: before.signer };
      return { hashes: before.hashes, taken: promise(former, before, idempotencyKey) };
    }
    const sent = items.map((item) => ({ from: signer, ...item }));
    const about = compact({ idempotencyKey: idempotencyKey || undefined, digest, request: requestId });
    const accepted = await account.withKey((key) =>
      send({ ...node, queue, key, items: sent, user: userId, ...about }),
    );
    countTransactions?.(namespace, items.length);
    return accepted;
  };
}

export function createFindAccepted(kube: Pick<Store, 'get' | 'list'>): FindAccepted {
  return ({ metadata }, idempotencyKey) => forCaller(findSubmitted(kube, metadata, idempotencyKey));
}
