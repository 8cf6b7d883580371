import { parentPort } from 'node:worker_threads';
import { messageOf } from '../lib/errors.ts';
import { type NumberedTransaction, type SignedTransaction, signTransactions } from './signing.ts';

/** A worker thread that signs; it receives the key with each job and does not keep it. signer.ts holds the pool. */

export interface SignJob {
  id: number;
  key: Uint8Array;
  transactions: readonly NumberedTransaction[];
}

export type SignAnswer = { id: number; signed: SignedTransaction[] } | { id: number; problem: string };

parentPort?.on('message', ({ id, key, transactions }: SignJob) => {
  parentPort?.postMessage(answer(id, key, transactions));
});

function answer(id: number, key: Uint8Array, transactions: readonly NumberedTransaction[]): SignAnswer {
  try {
    return { id, signed: signTransactions(key, transactions) };
  } catch (error) {
    return { id, problem: messageOf(error) };
  } finally {
    key.fill(0);
  }
}
