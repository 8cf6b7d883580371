import { SlipwayError } from './error.ts';
import type { Groups } from './generated/groups.ts';
import type { Submission } from './generated/types.ts';
import { ifPassing, type Limits, startLimit } from './limit.ts';
import { type Runtime, sleep } from './runtime.ts';

export interface TransactionWaitOptions extends Limits {
  /** The network, where several have a transaction with this hash. */
  networkId?: string | undefined;
  /** Time between two looks; 250 when absent. */
  intervalMs?: number | undefined;
  workspace?: string | undefined;
}

export type WaitForTransaction = (hash: string, options?: TransactionWaitOptions) => Promise<Submission>;

/**
 * Waits until a submitted transaction is mined. Rejects with SlipwayError: `TransactionError` when it failed on the chain or
 * was dropped, `NotFound` when it was not submitted here, `Timeout`. Failures that pass, such as a restart of the service, do
 * not end it.
 */
export function createWaitForTransaction(
  transactions: Groups['transactions'],
  runtime: Runtime,
): WaitForTransaction {
  return async (hash, options = {}) => {
    const { networkId: network_id, intervalMs = 250, workspace } = options;
    const { signal, stop } = startLimit(runtime, options, (timeoutMs) => timedOut(hash, timeoutMs));
    const look = () => transactions.get(hash, { network_id }, { signal, workspace });
    try {
      for (;;) {
        const found = await look().catch((error) => ifPassing(error, signal));
        if (found !== 'later') {
          if (found.state === 'mined') return found;
          if (found.state === 'failed' || found.state === 'dropped') throw failed(found);
        }
        await sleep(runtime, intervalMs, signal);
      }
    } finally {
      stop();
    }
  };
}

function failed({ hash, state, message }: Submission): SlipwayError {
  const text = `transaction ${hash} ${state}${message ? `: ${message}` : ''}`;
  return new SlipwayError(text, { reason: 'TransactionError' });
}

function timedOut(hash: string, timeoutMs: number): SlipwayError {
  return new SlipwayError(`transaction ${hash} is not mined after ${timeoutMs} ms`, { reason: 'Timeout' });
}
