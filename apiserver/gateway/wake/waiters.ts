import type { Clock } from '../../../core/lib/clock.ts';
import type { Caller } from '../caller.ts';
import type { GatewayLimits } from '../deps.ts';
import type { GatewayMetrics } from '../metrics.ts';

/** Who waits for news of which network. */
export interface Waiters {
  /** Whether nobody more may wait, here or for this network. */
  isFull(networkUid: string): boolean;
  /** Calls `waiter` at each news of the network; the answer ends that. */
  enter(networkUid: string, waiter: () => void): () => void;
  notify(networkUid: string): void;
  notifyAll(): void;
}

export function createWaiters(
  limits: Pick<GatewayLimits, 'held' | 'heldPerNetwork'>,
  metrics: Pick<GatewayMetrics, 'held'>,
): Waiters {
  const byNetwork = new Map<string, Set<() => void>>();
  let total = 0;
  const notify = (uid: string) => {
    for (const waiter of [...(byNetwork.get(uid) ?? [])]) waiter();
  };
  return {
    isFull: (uid) => total >= limits.held || (byNetwork.get(uid)?.size ?? 0) >= limits.heldPerNetwork,
    enter(uid, waiter) {
      const group = byNetwork.get(uid) ?? new Set();
      byNetwork.set(uid, group.add(waiter));
      total++;
      metrics.held(1);
      return () => {
        group.delete(waiter);
        if (group.size === 0) byNetwork.delete(uid);
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
  caller: Caller;
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
