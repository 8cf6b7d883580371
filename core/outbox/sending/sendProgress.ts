import type { SendResult } from '../../evm/broadcast.ts';
import { createBoundedMap } from '../../lib/boundedMap.ts';
import type { SignedTransaction } from '../../signing/signing.ts';
import type { Submission } from '../submission.ts';

interface Sending {
  signed: readonly SignedTransaction[];
  /** Id of the batch that they are stored in. */
  batch: string;
}

/**
 * How far this process is with sending transactions, by their batches: after a revert, another process may send the same transaction
 * again. Forgetting one only costs a wait.
 */
export interface SendProgress {
  of: NonNullable<Submission['progressOf']>;
  /** `sent` has the node's answers, in the order of the transactions. */
  follow(sending: Sending, sent: Promise<SendResult[]>): Promise<SendResult[]>;
}

const maxAcknowledged = 20_000;

export function createSendProgress(): SendProgress {
  const open = new Set<string>();
  const acknowledged = createBoundedMap<string, true>(maxAcknowledged);
  return {
    of({ batch, hash }) {
      const key = keyOf(batch, hash);
      if (open.has(key)) return 'sending';
      return acknowledged.get(key) ? 'acknowledged' : undefined;
    },
    async follow({ signed, batch }, sent) {
      const keys = signed.map(({ hash }) => keyOf(batch, hash));
      for (const key of keys) open.add(key);
      try {
        const results = await sent;
        for (const [index, key] of keys.entries())
          if (isAcknowledged(results[index])) acknowledged.set(key, true);
        return results;
      } finally {
        for (const key of keys) open.delete(key);
      }
    },
  };
}

const keyOf = (batch: string, hash: string): string => `${batch}/${hash}`;

/** Whether the node has it, or another transaction has its nonce. */
export function isAcknowledged(result: SendResult | undefined): boolean {
  return result?.kind === 'sent' || result?.kind === 'used';
}
