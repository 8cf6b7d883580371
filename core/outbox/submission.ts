import { maxBatchTransactions } from '../api/resources/outbox.ts';
import type { Instance } from '../evm/instance.ts';
import { AppError } from '../lib/errors.ts';
import type { SignedTransaction, UnsignedTransaction } from '../signing/signing.ts';
import type { SenderQueueRef } from './outboxObjects.ts';

/** Ordered transactions that get the next nonces of a sender queue. */
export interface Submission {
  queue: SenderQueueRef;
  /** The signer's private key: 32 raw bytes, read until the submission is settled. */
  key: Uint8Array;
  /** In the order in which they must be mined. */
  transactions: readonly UnsignedTransaction[];
  /** What the node reports about the chain and the signer, just read. */
  node: {
    /** Which process it is. */
    instance: Instance;
    /** eth_getTransactionCount at `pending`. */
    pendingCount: number;
    /** The same, read again. */
    countNonces(): Promise<number>;
    /** Which of these transactions it has, mined or pending. */
    areKnown(hashes: readonly string[]): Promise<boolean[]>;
  };
  /** Whether the node may not acknowledge it in time, as when it does not fit into the next block: then it is stored as queued. */
  isQueued?: boolean;
  /** How far this process is with sending a transaction of a batch; undefined when it does not send it. */
  progressOf?(one: { batch: string; hash: string }): 'sending' | 'acknowledged' | undefined;
  /** Chosen by the caller; a submission with the same key is never executed twice. At most 253 characters. */
  idempotencyKey?: string;
  /** Hash of what the caller submits under the key: a submission with another one is refused. */
  digest?: string;
  /** Ids of the user and the request, for the record. */
  user?: string;
  request?: string;
}

/** Maximum size of all signed bytes of a submission; at most 30 objects. */
const maxSubmissionBytes = 8 * 1024 * 1024;

/** Size of a signed transfer without its data, in bytes; an address or a key of an access list, and an authorization. */
const commonBytes = 120;
const accessBytes = 33;
const authorizationBytes = 130;

/** The approximate size of the signed bytes of a submission. */
export function sizeOf({ transactions }: Pick<Submission, 'transactions'>): number {
  return transactions.reduce((sum, transaction) => sum + bytesOf(transaction), 0);
}

function bytesOf({ data, accessList = [], authorizations = [] }: UnsignedTransaction): number {
  const named = accessList.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0);
  return data.length / 2 + commonBytes + named * accessBytes + authorizations.length * authorizationBytes;
}

/** Throws BadRequest when a submission can never be accepted, whatever the state of its sender queue. */
export function checkSubmission(submission: Submission): void {
  const { length } = submission.transactions;
  if (length === 0) throw new AppError('BadRequest', 'the submission has no transactions');
  if (length > maxBatchTransactions) {
    throw new AppError(
      'BadRequest',
      `the submission has ${length} transactions; the maximum is ${maxBatchTransactions}: split it`,
    );
  }
  if (sizeOf(submission) <= maxSubmissionBytes) return;
  throw new AppError('BadRequest', `the submission is larger than ${maxSubmissionBytes} bytes: split it`);
}

/** The outcome of a submission. */
export interface Accepted {
  /** In the order of the submission, computed from the signed bytes. */
  hashes: string[];
  /** The transactions to send; empty when the idempotency key had been accepted before. */
  signed: SignedTransaction[];
  /** When its nonces were allocated, by the clock of this process. */
  begunMs: number;
  /** Id of the batch that has them in the sender queue; empty when nothing was allocated. */
  batch: string;
  /** Whether an earlier submission had the same idempotency key: then this is its outcome, and nothing was allocated. */
  isRepeated: boolean;
  /** Of the submission whose outcome this is. */
  digest?: string;
}
