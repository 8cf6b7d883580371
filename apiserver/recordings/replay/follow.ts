import type { ReplayedTransaction } from '../../../core/api/rest/replay.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
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

export function createFollower(deps: FollowerDeps): Follower {
  const { script, clock } = deps;
  const answers = createAnswers();
  let open: Sent[] = [];
  let work: Promise<void> | undefined;
  let reason: string | undefined;
  let pauseMs = shortestPauseMs;
  const isUrgent = () => answers.isAwaited() || pauseMs === longestPauseMs;

  async function follow(): Promise<void> {
    let lastMs = clock.nowMs();
    pauseMs = shortestPauseMs;
    let problem = 'was not mined';
    while (open.length > 0) {
      const settling = settleOldest(deps, open, { isUrgent, settle: answers.settle });
      const count = await settling.catch((error: unknown) => {
        problem = messageOf(error);
        return 0;
      });
      open = open.slice(count);
      if (count > 0) [lastMs, pauseMs] = [clock.nowMs(), shortestPauseMs];
      if (count === batchSize) continue;
      if (clock.nowMs() - lastMs > stallMs) return giveUp(`${problem} within ${stallMs / 1000} s`);
      await clock.sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    }
  }

  function giveUp(why: string): void {
    reason = why;
    for (const { index, hash } of open) answers.settle(index, toUnmined(script.at(index), why, hash));
    open = [];
    answers.releaseAll();
  }

  return {
    add(first, sent) {
      open.push(...sent.map((one, at) => ({ index: first + at, ...one })));
      const before = work ?? Promise.resolve();
      work = before.then(follow);
    },
    settled: (index) => (reason === undefined ? answers.settled(index) : Promise.resolve()),
    finish: async () => {
      await work;
      return answers.byIndex;
    },
    failure: () => reason,
  };
}

/** The answers so far, and who waits for one. */
function createAnswers() {
  const byIndex = new Map<number, ReplayedTransaction>();
  const waiting = new Map<number, () => void>();
  return {
    byIndex,
    isAwaited: () => waiting.size > 0,
    settle(index: number, answer: ReplayedTransaction): void {
      byIndex.set(index, answer);
      waiting.get(index)?.();
      waiting.delete(index);
    },
    settled: (index: number): Promise<void> =>
      new Promise((resolve) => {
        if (byIndex.has(index)) return resolve();
        waiting.set(index, resolve);
      }),
    /** Nobody waits any longer. */
    releaseAll(): void {
      for (const resolve of waiting.values()) resolve();
    },
  };
}

interface Settling {
  /** Whether the oldest alone is worth the questions. */
  isUrgent(): boolean;
  settle(index: number, answer: ReplayedTransaction): void;
}

/** How many of the oldest are settled now. Nonces are mined in their order: the last one tells of all before it. */
async function settleOldest(
  deps: FollowerDeps,
  open: readonly Sent[],
  { isUrgent, settle }: Settling,
): Promise<number> {
  const oldest = open.slice(0, batchSize);
  const ends = [oldest[0], oldest.at(-1)].filter((sent) => sent !== undefined);
  const [first, last] = await deps.reader.outcomes(ends.map(({ hash }) => hash));
  // Unless somebody waits for one of them, a part of the batch is not worth the questions.
  if (!last && !(first && isUrgent())) return 0;
  const outcomes = await deps.reader.outcomes(oldest.map(({ hash }) => hash));
  let count = 0;
  for (const [at, sent] of oldest.entries()) {
    const outcome = outcomes[at];
    if (!outcome) break;
    settle(sent.index, await replayedOf(deps, sent, outcome));
    count++;
  }
  return count;
}

async function replayedOf(
  { reader, script }: FollowerDeps,
  { index, ...sent }: Sent,
  outcome: Outcome,
): Promise<ReplayedTransaction> {
  const recorded = script.at(index);
  const isFactory = recorded.created_contracts !== undefined && outcome.status === 'success';
  const created = isFactory ? await reader.createdBy(sent.hash) : undefined;
  const whole = { ...outcome, ...compact({ created }) };
  script.learn(index, whole);
  return toReplayed(recorded, sent, whole);
}
