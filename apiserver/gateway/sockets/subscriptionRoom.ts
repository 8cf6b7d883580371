import { AppError } from '../../../core/lib/errors.ts';
import { createTally } from '../../../core/lib/work/tally.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { maxPublicSubscriptions, maxSubscriptions } from '../policy/subscriptions.ts';

/** What the subscriptions of a connection weigh. */
export interface SubscriptionRoom {
  /** Throws TooManyRequests, and takes nothing, if the connection, its key, its network or the owner would have too many. */
  take(weight: number): void;
  give(weight: number): void;
}

/** The room of all connections: what a node tells its subscribers, it tells each of them. */
export interface SubscriptionRooms {
  /** `release` gives all of it back. */
  open(of: { networkUid: string; workspace: string; key: string }): SubscriptionRoom & { release(): void };
}

interface Options {
  budgets: Pick<BudgetMetrics, 'refused'>;
  shareOf(workspace: string): string;
}

const holders = {
  connection: 'the connection has',
  key: 'the connections with the same key have',
  network: 'the connections to the network have',
  owner: 'the connections to networks of the same owner have',
} as const;
const kinds = Object.keys(holders) as (keyof typeof holders)[];

export function createSubscriptionRooms({ budgets, shareOf }: Options): SubscriptionRooms {
  const used = createTally();
  let opened = 0;
  return {
    open({ networkUid, workspace, key }) {
      opened += 1;
      const names = {
        connection: `connection/${opened}`,
        key: `key/${networkUid}/${key}`,
        network: `network/${networkUid}`,
        owner: `owner/${shareOf(workspace)}`,
      };
      const most =
        key === 'public' ? { ...maxSubscriptions, owner: maxPublicSubscriptions } : maxSubscriptions;
      let isOpen = true;
      // What a message asks for may come after the end of its connection.
      const add = (weight: number) => {
        if (!isOpen) return;
        for (const kind of kinds) used.add(names[kind], weight);
      };
      return {
        take(weight) {
          if (weight === 0) return;
          const full = kinds.find((kind) => used.of(names[kind]) + weight > most[kind]);
          if (full) {
            budgets.refused('subscriptions');
            throw tooMany(holders[full]);
          }
          add(weight);
        },
        give: (weight) => add(-weight),
        release() {
          add(-used.of(names.connection));
          isOpen = false;
        },
      };
    },
  };
}

function tooMany(who: string): AppError {
  const message = `${who} too many subscriptions: end some, or subscribe to the logs of several addresses at once`;
  return new AppError('TooManyRequests', message, { retryAfterSeconds: 1 });
}
