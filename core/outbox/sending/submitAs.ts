import type { WithKey } from '../../accounts/lendKey.ts';
import { idOf } from '../../api/ids.ts';
import type { NetworkResource } from '../../api/resources/network.ts';
import type { RecordedParts, SubmittedItem } from '../../api/rest/transaction.ts';
import type { Published } from '../../evm/instance.ts';
import type { EvmRpc } from '../../evm/rpc.ts';
import type { Kube, Stored } from '../../kube/kube.ts';
import { compact } from '../../lib/compact.ts';
import { isAppError } from '../../lib/errors.ts';
import type { NewData } from '../../storage/budget.ts';
import { storedBytes } from '../../storage/kinds.ts';
import type { StorageLedger } from '../../storage/ledger.ts';
import type { FoundSubmission } from '../findSubmitted.ts';
import type { Send, Sent } from '../send.ts';
import type { SenderQueues } from '../senderQueues.ts';
import { promiseAgain } from './repeat.ts';

/** The node of a network in one incarnation. */
export interface Node {
  rpc: EvmRpc;
  /** status.enclaveID of the network. */
  incarnation: string;
  /** status.chainID of the network: nothing is signed for another one. */
  chainId: string;
  /** status.instance of the network: the process that is known to run that incarnation. */
  published: Published;
  /** What the chain allows one transaction from Osaka on; Ethereum's limit when absent. */
  osakaGasCap: bigint | undefined;
  /** Whether the network still runs that incarnation. */
  isCurrent(): boolean;
}

/** The account that signs a user's transactions. */
export interface Account {
  /** EIP-55. */
  address: string;
  withKey: WithKey;
}

/** Transactions of a user for one network, in order. */
export interface UserSubmission {
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
  /** Resolves once something may be written. */
  confirmed?: Promise<void> | undefined;
}

export interface SubmitAsDeps {
  send: Send;
  queues: Pick<SenderQueues, 'markQueued'>;
  /** Room for what is kept of transactions. It is taken before anything is signed. */
  storage: Pick<StorageLedger, 'take'>;
  serverTimeMs: Kube['serverTimeMs'];
  /** Counts transactions that were accepted now, not those of an idempotency key that was repeated. */
  countTransactions?: ((namespace: string, count: number) => void) | undefined;
}

interface Place {
  account: Account;
  node: Node;
}

/** Signs transactions with an account of their user and sends each once. Resolves once the signed bytes are durable. */
export async function submitAs(
  deps: SubmitAsDeps,
  { account, node: { incarnation, ...node } }: Place,
  { userId, network, items, ...rest }: UserSubmission,
): Promise<Sent> {
  const { idempotencyKey, digest, requestId, known: before, confirmed } = rest;
  const { name, namespace, uid } = network.metadata;
  const signer = account.address;
  const queue = { namespace, network: { name, uid, id: idOf(network) }, incarnation, signer };
  // Another key than the one that signed it sends nothing new under the same key.
  const isOfOther = before && before.signer.toLowerCase() !== signer.toLowerCase();
  if (isOfOther) {
    await confirmed;
    const former = { ...queue, incarnation: before.incarnation, signer: before.signer };
    const taken = promiseAgain(deps.queues, {
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
    account.withKey((key) => deps.send({ ...node, queue, key, items: sent, user: userId, ...about }));
  // What was accepted before takes no more room.
  const accepted = before
    ? await sending()
    : await storing(deps, { namespace, bytes: roomFor(sent) }, sending);
  if (accepted.firstNonce !== undefined) deps.countTransactions?.(namespace, items.length);
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
  { storage, serverTimeMs }: Pick<SubmitAsDeps, 'storage' | 'serverTimeMs'>,
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
