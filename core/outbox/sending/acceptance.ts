import type { SendResult } from '../../evm/broadcast.ts';
import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadline.ts';
import type { SignedTransaction } from '../../signing/signing.ts';
import { graceMs } from '../freeNonce.ts';
import { unanswered } from '../markQueued.ts';
import type { SenderQueueRef } from '../outboxObjects.ts';
import type { SenderQueues } from '../senderQueues.ts';
import { isAcknowledged } from './sendProgress.ts';

interface Accepting {
  queues: Pick<SenderQueues, 'markQueued'>;
  clock: Clock;
  queue: SenderQueueRef;
}

interface Stored {
  signed: readonly SignedTransaction[];
  /** Id of the batch that they are stored in. */
  batch: string;
  /** When their nonces were allocated. */
  begunMs: number;
  /** Whether it is stored that they may have to be sent later. */
  isQueued: boolean;
}

/** When transactions count as accepted, and until when this process may send them. */
export interface Acceptance {
  /**
   * After a grace period, others settle what is neither queued nor on the node. So nothing is sent for the first time after
   * half of that period, however long this process was paused.
   */
  mayBegin(): boolean;
  /**
   * Resolves when it may be sent: at once, or, when it is late, once it is stored as queued. Rejects when others have settled
   * it.
   */
  begin(): Promise<void>;
  /** Resolves when the process has acknowledged all, or all that it has not is stored as queued. */
  of(sending: Promise<readonly SendResult[]>): Promise<void>;
}

/** How long to wait for the node. */
const acknowledgedMs = 1000;

export function createAcceptance({ queues, clock, queue }: Accepting, stored: Stored): Acceptance {
  const { signed, batch, begunMs } = stored;
  let { isQueued } = stored;

  async function queueAll(): Promise<void> {
    if (isQueued) return;
    const last = signed.at(-1)?.nonce ?? 0;
    isQueued = await queues.markQueued(queue, { id: batch, last });
    // Others have settled it meanwhile.
    if (!isQueued) throw unanswered();
  }

  const mayBegin = () => isQueued || clock.steadyMs() - begunMs < graceMs / 2;
  return {
    mayBegin,
    begin: async () => {
      if (!mayBegin()) await queueAll();
    },
    async of(sending) {
      const deadline = { clock, limitMs: acknowledgedMs, onLate: () => [] };
      const results = await withDeadline(deadline, sending);
      const isComplete = results.length === signed.length && results.every(isAcknowledged);
      if (!isComplete) await queueAll();
    },
  };
}
