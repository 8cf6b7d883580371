import { maxBatchTransactions } from '../api/resources/outbox.ts';
import { AppError } from '../lib/errors.ts';
import type { SignedTransaction, UnsignedTransaction } from '../signing/signing.ts';
import type { SenderQueueRef } from './outboxObjects.ts';

/** Transactions that are in order, to be given the next nonces of a sender queue. */
export interface Submission {
  queue: SenderQueueRef;
  /** The signer's private key: 32 raw bytes, read until the submission is settled. */
  key: Uint8Array;
  /** In the order in which they are to be mined. */
  transactions: readonly UnsignedTransaction[];
  /** What the node says of the chain and the signer, read a moment ago. */
  node: {
    /** Hash of block 0. */
    genesis: string;
    /** eth_getTransactionCount at `pending`. */
    pendingCount: number;
    /** The same, read anew. */
    countNonces(): Promise<number>;
  };
  /** What is to be done, in words of the caller's own: never done twice. At most 253 characters. */
  idempotencyKey?: string;
  /** Ids of the user and the request, for the record. */
  user?: string;
  request?: string;
}

/** All signed bytes of a submission; 30 objects at most. */
const maxSubmissionBytes = 8 * 1024 * 1024;

/** Bytes of a signed transfer beside its data. */
const commonBytes = 120;

/** About the signed bytes of a submission. */
export function sizeOf({ transactions }: Pick<Submission, 'transactions'>): number {
  return transactions.reduce((sum, { data }) => sum + data.length / 2 + commonBytes, 0);
}

/** Throws BadRequest when a submission cannot be taken whatever the state of its sender queue. */
export function checkSubmission(submission: Submission): void {
  const { length } = submission.transactions;
  if (length === 0) throw new AppError('BadRequest', 'there is nothing to submit');
  if (length > maxBatchTransactions) {
    throw new AppError(
      'BadRequest',
      `${length} transactions; the most in one submission are ${maxBatchTransactions}`,
    );
  }
  if (sizeOf(submission) <= maxSubmissionBytes) return;
  throw new AppError('BadRequest', `more than ${maxSubmissionBytes} bytes in one submission: split it`);
}

/** What was taken for a submission. */
export interface Accepted {
  /** In the order of the submission, known from the signed bytes. */
  hashes: string[];
  /** To be sent; empty when the idempotency key had been accepted before. */
  signed: SignedTransaction[];
  /** Whether an earlier submission had the same idempotency key: then this is its outcome, and nothing new was taken. */
  isRepeated: boolean;
}
