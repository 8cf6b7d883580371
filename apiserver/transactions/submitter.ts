import { isDeepStrictEqual } from 'node:util';
import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedParts, SubmittedItem } from '../../core/api/rest/transaction.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { type FoundSubmission, findSubmitted } from '../../core/outbox/findSubmitted.ts';
import type { Send, Sent } from '../../core/outbox/send.ts';
import type { SenderQueues } from '../../core/outbox/senderQueues.ts';
import { promiseAgain } from '../../core/outbox/sending/repeat.ts';
import type { NewData } from '../../core/storage/budget.ts';
import { storedBytes } from '../../core/storage/kinds.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import type { Touch } from '../networks/activity.ts';
import { forCaller, type Store } from '../store/kubeErrors.ts';
import type { FindAccount } from './defaultKey.ts';
import type { Node, Nodes } from './nodes.ts';

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
  /**
   * Resolves to the network as all replicas know it, once its user is known to be allowed to do this. Until then nothing is
   * written. Absent where that is certain.
   */
  confirm?: (() => Promise<Stored<NetworkResource>>) | undefined;
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

export interface SubmitterDeps extends Pick<Nodes, 'nodeOf' | 'presentNode'> {
  send: Send;
  queues: Pick<SenderQueues, 'markQueued'>;
  findAccount: FindAccount;
  touch: Touch;
  /** Room for what is kept of transactions. It is taken before anything is signed. */
  storage: Pick<StorageLedger, 'take'>;
  serverTimeMs: Kube['serverTimeMs'];
  /** Counts transactions that were accepted. */
  countTransactions?(namespace: string, count: number): void;
}

export function createSubmitFor(deps: SubmitterDeps): SubmitFor {
  return async ({ confirm, ...submission }) => {
    const node = confirm && deps.presentNode(submission.network);
    if (confirm && node) return submitEarly(deps, { ...submission, confirm }, node);
    const network = confirm ? await confirm() : submission.network;
    return submitOn(deps, { ...submission, network }, await deps.nodeOf(network));
  };
}

/**
 * Asks the node while the user is being confirmed. If the caches were behind, nothing of it counts, and it begins again with
 * what they show by then.
 */
async function submitEarly(
  deps: SubmitterDeps,
  { confirm, ...submission }: UserSubmission & { confirm(): Promise<Stored<NetworkResource>> },
  node: Node,
): Promise<Sent> {
  const presumed = deps.findAccount(submission.userId).catch(() => undefined);
  const latest = confirm();
  const isSame = latest.then(async (network) => {
    const now = deps.presentNode(network);
    if (now?.incarnation !== node.incarnation || !isDeepStrictEqual(now.published, node.published))
      return false;
    return (await deps.findAccount(submission.userId)).address === (await presumed)?.address;
  });
  const confirmed = isSame.then(async (same) => {
    if (!same) throw changed();
    deps.touch(await latest);
  });
  confirmed.catch(() => undefined);
  try {
    return await submitOn(deps, { ...submission, confirmed }, node);
  } catch (error) {
    if (await isSame) throw error;
    const network = await latest;
    return submitOn(deps, { ...submission, network }, await deps.nodeOf(network));
  }
}

function changed(): AppError {
  const message = 'the network or your default key has just changed; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}

type Certain = Omit<UserSubmission, 'confirm'> & {
  /** Resolves once something may be written. */
  confirmed?: Promise<void>;
};

async function submitOn(
  deps: SubmitterDeps,
  { userId, network, items, idempotencyKey, digest, requestId, known: before, confirmed }: Certain,
  { incarnation, ...node }: Node,
): Promise<Sent> {
  const { send, queues, findAccount, countTransactions } = deps;
  const known = await findAccount(userId);
  const isOther = items.some(
    ({ from }) => from !== undefined && from.toLowerCase() !== known.address.toLowerCase(),
  );
  // The cached key may have been replaced.
  const account = isOther ? await findAccount(userId, true) : known;
  const { name, namespace, uid } = network.metadata;
  const signer = account.address;
  const queue = { namespace, network: { name, uid, id: idOf(network) }, incarnation, signer };
  // Another key than the one that signed it sends nothing new under the same key.
  const isOfOther = before && before.signer.toLowerCase() !== signer.toLowerCase();
  if (isOfOther) {
    await confirmed;
    const former = { ...queue, incarnation: before.incarnation, signer: before.signer };
    const taken = promiseAgain(queues, {
      queue: former,
      idempotencyKey: idempotencyKey ?? '',
      known: before,
    });
    return { hashes: before.hashes, taken };
  }
  const sent = items.map((item) => ({ from: signer, ...item }));
  const about = compact({
    idempotencyKey: idempotencyKey || undefined,
    digest,
    request: requestId,
    confirmed,
  });
  const sending = () =>
    account.withKey((key) => send({ ...node, queue, key, items: sent, user: userId, ...about }));
  // What was accepted before takes no more room.
  const accepted = before
    ? await sending()
    : await storing(deps, { namespace, bytes: roomFor(sent) }, sending);
  countTransactions?.(namespace, items.length);
  return accepted;
}

/** What is kept of a transaction besides what was submitted: signature, hash, times, outcome. */
const keptBytes = 600;

/** How much is kept of transactions, in bytes, until archives expire. */
function roomFor(items: readonly object[]): number {
  return storedBytes(items) + items.length * keptBytes;
}

/** Takes the room before the work; throws TooManyRequests if there is none. */
async function storing<T>(
  { storage, serverTimeMs }: Pick<SubmitterDeps, 'storage' | 'serverTimeMs'>,
  data: NewData,
  work: () => Promise<T>,
): Promise<T> {
  const taken = storage.take(data);
  try {
    const done = await work();
    taken.stored(await serverTimeMs());
    return done;
  } catch (error) {
    if (isAppError(error) && error.isOutcomeUnknown) taken.stored(0);
    else taken.giveBack();
    throw error;
  }
}

export function createFindAccepted(kube: Pick<Store, 'get' | 'list'>): FindAccepted {
  return (network, idempotencyKey) => {
    const place = { namespace: network.metadata.namespace, id: idOf(network) };
    return forCaller(findSubmitted(kube, place, idempotencyKey));
  };
}
