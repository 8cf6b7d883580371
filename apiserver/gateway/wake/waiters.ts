import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import type { Closing } from '../../http/limits/closing.ts';
import { fitsShare } from '../../http/limits/share.ts';
import type { GatewayLimits } from '../deps.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { createCounts } from '../proxy/counts.ts';

/** Who waits for news of which network. */
export interface Waiters {
  /** Why no more callers may wait for this network; undefined if another one may. */
  refuse(networkUid: string): AppError | undefined;
  /** Calls `waiter` at each news of the network; the answer ends that. */
  enter(networkUid: string, waiter: () => void): () => void;
  notify(networkUid: string): void;
  notifyAll(): void;
}

interface WaitersOptions {
  limits: Pick<GatewayLimits, 'held' | 'heldPerNetwork'>;
  metrics: Pick<GatewayMetrics, 'held'>;
  budgets: Pick<BudgetMetrics, 'refused'>;
  /** Whose share a network takes; all networks that are not known count as one. */
  shareOf(networkUid: string): string;
}

/** How much of what is free the networks of an account may have; one that is alone gets a quarter of all places. */
const portion = 2 / 5;

export function createWaiters({ limits, metrics, budgets, shareOf }: WaitersOptions): Waiters {
  const byNetwork = new Map<string, Set<() => void>>();
  const accounts = createCounts();
  let total = 0;
  const reasonAgainst = (uid: string): string | undefined => {
    if ((byNetwork.get(uid)?.size ?? 0) >= limits.heldPerNetwork)
      return `${limits.heldPerNetwork} calls wait for it, which is the limit`;
    const wanted = { own: accounts.of(shareOf(uid)) + 1, all: total + 1 };
    if (fitsShare(limits.held, portion, wanted)) return undefined;
    return `the calls to networks of its owner hold their share of the ${limits.held} places to wait in`;
  };
  const notify = (uid: string) => {
    for (const waiter of [...(byNetwork.get(uid) ?? [])]) waiter();
  };
  return {
    refuse(uid) {
      const reason = reasonAgainst(uid);
      if (reason === undefined) return undefined;
      budgets.refused('heldCalls');
      return new AppError('Unavailable', `the network is starting, and ${reason}: retry`, {
        retryAfterSeconds: 2,
      });
    },
    enter(uid, waiter) {
      const group = byNetwork.get(uid) ?? new Set();
      byNetwork.set(uid, group.add(waiter));
      const leaveAccount = accounts.add(shareOf(uid));
      total++;
      metrics.held(1);
      return () => {
        group.delete(waiter);
        if (group.size === 0) byNetwork.delete(uid);
        leaveAccount();
        total--;
        metrics.held(-1);
      };
    },
    notify,
    notifyAll() {
      for (const uid of [...byNetwork.keys()]) notify(uid);
    },
  };
}

export interface Hold<Answer> {
  /** Has the waiter called at each news; the answer ends that. */
  enter(waiter: () => void): () => void;
  clock: Clock;
  caller: Closing;
  limitMs: number;
  /** Asked at once and at each news, until it has an answer. */
  check(): Answer | Promise<Answer | undefined> | undefined;
  /** The answer when the time is over. */
  late(): Answer;
}

/** Waits for the answer of `check`, at most `limitMs`; undefined when the caller goes away. */
export function hold<Answer>(options: Hold<Answer>): Promise<Answer | undefined> {
  const { enter, clock, caller, limitMs, check, late } = options;
  return new Promise((resolve) => {
    const settle = (answer: Answer | undefined | Promise<Answer | undefined>) => {
      leave();
      cancel();
      caller.off('close', abandon);
      resolve(answer);
    };
    const abandon = () => settle(undefined);
    const waiter = () => {
      const answer = check();
      if (answer) settle(answer);
    };
    const leave = enter(waiter);
    const cancel = clock.after(limitMs, () => settle(late()));
    caller.once('close', abandon);
    waiter();
  });
}
