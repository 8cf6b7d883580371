import type { ShareOf } from '../../../core/accounts/shares/shares.ts';
import { createTally } from '../../../core/lib/work/tally.ts';
import type { WebhookQueue } from './queues.ts';

/** Who sends next, so that a receiver that is slow takes its own share of what is sent at a time, and no more. */
export interface Shares {
  /** Of the queues that have something due, the one whose account, and which itself, sends least. */
  choose(queues: Iterable<WebhookQueue>, isDue: (queue: WebhookQueue) => boolean): WebhookQueue | undefined;
  /** Returns a function that ends it. */
  begin(queue: WebhookQueue): () => void;
}

/** Deliveries to one webhook at a time: of different objects. While its receiver fails, only one. */
const perWebhook = 4;
/** Of what the installation sends at a time, the webhooks of an account get at most this part. */
const accountPart = 16;

export function createShares(concurrent: number, shareOf: ShareOf = (namespace) => namespace): Shares {
  const byAccount = createTally();
  const lastTurns = new WeakMap<WebhookQueue, number>();
  const perAccount = Math.max(1, Math.floor(concurrent / accountPart));
  let turn = 0;

  const usedBy = ({ namespace }: WebhookQueue) => byAccount.of(shareOf(namespace));
  const hasShare = (queue: WebhookQueue) => {
    const limit = queue.failingSinceMs === undefined ? perWebhook : 1;
    return queue.underWay < limit && usedBy(queue) < perAccount;
  };
  const isBefore = (one: WebhookQueue, other: WebhookQueue) => {
    const lastOf = (queue: WebhookQueue) => lastTurns.get(queue) ?? 0;
    const difference =
      usedBy(one) - usedBy(other) || one.underWay - other.underWay || lastOf(one) - lastOf(other);
    return difference < 0;
  };

  function change(queue: WebhookQueue, account: string, by: number): void {
    queue.underWay += by;
    byAccount.add(account, by);
  }

  return {
    choose(queues, isDue) {
      if (byAccount.total() >= concurrent) return undefined;
      let best: WebhookQueue | undefined;
      for (const queue of queues) {
        if (hasShare(queue) && (!best || isBefore(queue, best)) && isDue(queue)) best = queue;
      }
      return best;
    },
    begin(queue) {
      turn += 1;
      lastTurns.set(queue, turn);
      // Its owner may be another one at the end.
      const account = shareOf(queue.namespace);
      change(queue, account, 1);
      return () => change(queue, account, -1);
    },
  };
}
