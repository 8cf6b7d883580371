import type { ReplayedTransaction } from '../../../core/api/rest/replay.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import { type Outcome, toReplayed, toUnmined } from './compare.ts';
import type { ReplayReader } from './receipts.ts';
import type { Script } from './script.ts';

/** Watches sent transactions until they are mined, in the order in which they were sent. */
export interface Follower {
  /** Adds sent transactions; the first one has the index `first`. */
  add(first: number, sent: readonly { hash: string; data: string }[]): void;
  /** Resolves when the transaction is settled or given up. */
  settled(index: number): Promise<void>;
  /** Ends the input. Resolves to the answers of all sent transactions by index; never rejects. */
  finish(): Promise<Map<number, ReplayedTransaction>>;
  /** Why no more transactions must be sent; undefined if there is no failure. */
  failure(): string | undefined;
}

export interface FollowerDeps {
  reader: Pick<ReplayReader, 'outcomes' | 'createdBy'>;
  script: Script;
  clock: Clock;
}

/** The network is considered stuck if nothing is mined for this long. */
const stallMs = 60_000;
const batchSize = 250;
const shortestPauseMs = 20;
const longestPauseMs = 500;

interface Sent {
  index: number;
  hash: string;
  data: string;
}

export function createFollower({ reader, script, clock }: FollowerDeps): Follower {
  const answers = new Map<number, ReplayedTransaction>();
  const waiting = new Map<number, () => void>();
  let open: Sent[] = [];
  let work: Promise<void> | undefined;
  let reason: string | undefined;
  let pauseMs = shortestPauseMs;

  function settle(index: number, answer: ReplayedTransaction): void {
    answers.set(index, answer);
    waiting.get(index)?.();
    waiting.delete(index);
  }

  async function take({ index, ...sent }: Sent, outcome: Outcome): Promise<void> {
    const recorded = script.at(index);
    const isFactory = recorded.created_contracts !== undefined && outcome.status === 'success';
    const created = isFactory ? await reader.createdBy(sent.hash) : undefined;
    const whole = { ...outcome, ...(created ? { created } : {}) };
    script.learn(index, whole);
    settle(index, toReplayed(recorded, sent, whole));
  }

  /** Settles the oldest transactions; returns how many. Nonces are mined in order, so the last one covers the others. */
  async function poll(): Promise<number> {
    const oldest = open.slice(0, batchSize);
    const ends = [oldest[0], oldest.at(-1)].filter((sent) => sent !== undefined);
    const [first, last] = await reader.outcomes(ends.map(({ hash }) => hash));
    // A partly mined batch is not worth the requests unless a caller waits for one of its transactions.
    if (!last && !(first && (waiting.size > 0 || pauseMs === longestPauseMs))) return 0;
    const outcomes = await reader.outcomes(oldest.map(({ hash }) => hash));
    let count = 0;
    for (const [at, sent] of oldest.entries()) {
      const outcome = outcomes[at];
      if (!outcome) break;
      await take(sent, outcome);
      count++;
    }
    open = open.slice(count);
    return count;
  }

  async function follow(): Promise<void> {
    let lastMs = clock.nowMs();
    pauseMs = shortestPauseMs;
    let problem = 'was not mined';
    while (open.length > 0) {
      const count = await poll().catch((error: unknown) => {
        problem = messageOf(error);
        return 0;
      });
      if (count > 0) [lastMs, pauseMs] = [clock.nowMs(), shortestPauseMs];
      if (count === batchSize) continue;
      if (clock.nowMs() - lastMs > stallMs) return giveUp(`${problem} within ${stallMs / 1000} s`);
      await clock.sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    }
  }

  function giveUp(why: string): void {
    reason = why;
    for (const { index, hash } of open) settle(index, toUnmined(script.at(index), why, hash));
    open = [];
    for (const resolve of waiting.values()) resolve();
  }

  return {
    add(first, sent) {
      open.push(...sent.map((one, at) => ({ index: first + at, ...one })));
      const before = work ?? Promise.resolve();
      work = before.then(follow);
    },
    settled: (index) =>
      new Promise((resolve) => {
        if (answers.has(index) || reason !== undefined) resolve();
        else waiting.set(index, resolve);
      }),
    async finish() {
      await work;
      return answers;
    },
    failure: () => reason,
  };
}
