import type { SendResult } from '../../evm/broadcast.ts';
import { createBoundedMap } from '../../lib/boundedMap.ts';
import type { SignedTransaction } from '../../signing/signing.ts';
import type { Submission } from '../submission.ts';

/** How far this process is with sending transactions, by their hashes. Forgetting one only costs a wait. */
export interface SendProgress {
  of: NonNullable<Submission['progressOf']>;
  /** `sending` has the node's answers, in the same order. */
  follow(signed: readonly SignedTransaction[], sending: Promise<SendResult[]>): Promise<SendResult[]>;
}

const maxAcknowledged = 20_000;

export function createSendProgress(): SendProgress {
  const sending = new Set<string>();
  const acknowledged = createBoundedMap<string, true>(maxAcknowledged);
  return {
    of(hash) {
      if (sending.has(hash)) return 'sending';
      return acknowledged.get(hash) ? 'acknowledged' : undefined;
    },
    async follow(signed, sent) {
      for (const { hash } of signed) sending.add(hash);
      try {
        const results = await sent;
        for (const [index, { hash }] of signed.entries())
          if (isAcknowledged(results[index])) acknowledged.set(hash, true);
        return results;
      } finally {
        for (const { hash } of signed) sending.delete(hash);
      }
    },
  };
}

/** Whether the node has it, or another transaction has its nonce. */
export function isAcknowledged(result: SendResult | undefined): boolean {
  return result?.kind === 'sent' || result?.kind === 'used';
}
