import type { ChainReader } from '../evm/chainReader.ts';
import type { Clock } from '../lib/clock.ts';
import type { ProgressStore } from './progress.ts';
import type { Accounts, Signer, Transaction } from './step.ts';

/** One chain, to read from and to send to. */
export interface TokenChain extends ChainReader {
  /**
   * Sends a transaction exactly once for each idempotency key (at most 253 characters) and returns its hash. A
   * repeated key returns the same hash, whatever the chain would say to the transaction by then. Rejects with
   * AppError; an error that is not retryable, such as a refusal while gas is estimated, is final.
   */
  send(idempotencyKey: string, transaction: SentTransaction, signer: Signer): Promise<string>;
  /**
   * Why a transaction that was sent under this key, and has no receipt, will never be mined; undefined while it may be.
   * Absent where that is not known.
   */
  whyDropped?(idempotencyKey: string, hash: string): Promise<string | undefined>;
}

export interface SentTransaction extends Transaction {
  /** Estimated when absent. */
  gasLimit?: bigint;
}

export interface TokenPorts {
  /** The chain of a network id. Rejects with Unavailable while it cannot be reached. */
  chain(network: string): Promise<TokenChain>;
  progress: ProgressStore;
  accounts: Accounts;
  clock: Clock;
}
