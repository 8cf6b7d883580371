import type { RecordedTransaction, ReplayedTransaction } from '../../core/api/rest/replay.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import { type MinedResult, type Priced, toReplayed, toUnmined } from './compare.ts';
import type { ReplayReader } from './receipts.ts';
import { compareEffects } from './repeat.ts';

/** A sent transaction that is not settled yet. */
export interface Sent {
  index: number;
  recorded: RecordedTransaction;
  hash: string;
  /** What was sent. */
  item: Priced;
  /** Positions of the authorizations in it among the recorded ones. */
  authorizations: readonly number[];
  /** Why it may not have the recorded effect. */
  doubts: string[];
  /** Whether it is the last of its batch. */
  isLast: boolean;
}

/** Watches sent transactions until they are mined, in the order in which they were sent. */
export interface Follower {
  add(batch: readonly Sent[]): void;
  /** Resolves when at most `count` transactions are open, or when they are given up. */
  room(count: number): Promise<void>;
  /** Resolves when every sent transaction is settled or given up. Rejects when an outcome cannot be stored. */
  finish(): Promise<void>;
  /** When the last transaction was settled. */
  settledMs(): number;
  /** Why no more transactions must be sent; undefined if there is no failure. */
  failure(): string | undefined;
}

/** Its calls reject with Conflict or NotFound when the chain is gone. */
type FollowReader = Pick<ReplayReader, 'outcomes' | 'createdBy' | 'effects'>;

export interface FollowerDeps {
  reader: FollowReader;
  clock: Clock;
  /** Whether somebody waits for a contract that is created here. */
  isAwaited(): boolean;
  /** Called with each outcome, in order. */
  settle(sent: Sent, answer: ReplayedTransaction): Promise<void>;
}

/** The network is considered stuck if nothing is mined for this long. */
const stallMs = 60_000;
const batchSize = 250;
const shortestPauseMs = 20;
const longestPauseMs = 500;

export function createFollower(deps: FollowerDeps): Follower {
  const room = createRoom();
  const pace = createPace(deps.clock);
  let open: Sent[] = [];
  let work = Promise.resolve();
  let reason: string | undefined;

  async function follow(): Promise<void> {
    pace.restart();
    let look: Look = { settled: [], problem: 'was not mined' };
    while (open.length > 0) {
      look = await lookAt(deps, open, { pace, before: look });
      if (look.isGone) return giveUp(look.problem);
      await store(look.settled);
      if (look.settled.length > 0) pace.restart();
      if (look.settled.length === batchSize) continue;
      if (pace.isStalled()) return giveUp(`${look.problem} within ${stallMs / 1000} s`);
      await pace.wait();
    }
  }

  async function store(settled: readonly Settled[]): Promise<void> {
    for (const { sent, answer } of settled) await deps.settle(sent, answer);
    open = open.slice(settled.length);
    room.letIn(open.length);
  }

  async function giveUp(why: string): Promise<void> {
    reason = why;
    await store(open.map((sent) => ({ sent, answer: toUnmined(sent.recorded, why, sent.hash) })));
  }

  return {
    add(batch) {
      open.push(...batch);
      work = work.then(follow);
      // Reported by `finish`.
      work.catch((error: unknown) => {
        reason = messageOf(error);
        room.letIn(0);
      });
    },
    room: async (count) => {
      if (reason === undefined && open.length > count) await room.wait(count);
    },
    finish: () => work,
    settledMs: pace.settledMs,
    failure: () => reason,
  };
}

/** How often to ask, and since when nothing was settled. */
function createPace(clock: Clock) {
  let pauseMs = shortestPauseMs;
  let settledMs = clock.nowMs();
  return {
    settledMs: () => settledMs,
    isSlow: () => pauseMs === longestPauseMs,
    isStalled: () => clock.nowMs() - settledMs > stallMs,
    restart(): void {
      settledMs = clock.nowMs();
      pauseMs = shortestPauseMs;
    },
    async wait(): Promise<void> {
      await clock.sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
    },
  };
}

/** Callers that wait until at most this many transactions are open. */
function createRoom() {
  let waiting: { count: number; resolve: () => void }[] = [];
  return {
    wait: (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve })),
    letIn(open: number): void {
      for (const { resolve } of waiting.filter(({ count }) => open <= count)) resolve();
      waiting = waiting.filter(({ count }) => open > count);
    },
  };
}

interface Settled {
  sent: Sent;
  answer: ReplayedTransaction;
}

interface Look {
  settled: Settled[];
  /** What is wrong with those that are not settled: why there was no answer, the last time that there was none. */
  problem: string;
  /** Whether there never will be an answer, because the chain is gone. */
  isGone?: boolean;
}

async function lookAt(
  deps: FollowerDeps,
  open: readonly Sent[],
  { pace, before: { problem } }: { pace: { isSlow(): boolean }; before: Look },
): Promise<Look> {
  try {
    return { settled: await outcomesOfOldest(deps, open, pace), problem };
  } catch (error) {
    const isGone = isAppError(error, 'Conflict') || isAppError(error, 'NotFound');
    return { settled: [], problem: messageOf(error), isGone };
  }
}

/** The oldest that are settled now. Nonces are mined in order: the last one tells whether all before it are. */
async function outcomesOfOldest(
  { reader, isAwaited }: FollowerDeps,
  open: readonly Sent[],
  { isSlow }: { isSlow(): boolean },
): Promise<Settled[]> {
  const oldest = open.slice(0, batchSize);
  const ends = [oldest[0], oldest.at(-1)].filter((sent) => sent !== undefined);
  const [first, last] = await reader.outcomes(ends.map(({ hash }) => hash));
  // Unless somebody waits for one of them, or blocks are rare, a part of the batch is not worth the questions.
  if (!last && !(first && (isAwaited() || isSlow()))) return [];
  const outcomes = await reader.outcomes(oldest.map(({ hash }) => hash));
  const settled: Settled[] = [];
  for (const [at, sent] of oldest.entries()) {
    const outcome = outcomes[at];
    if (!outcome) break;
    settled.push({ sent, answer: await replayedOf(reader, sent, outcome) });
  }
  return settled;
}

async function replayedOf(
  reader: FollowReader,
  { recorded, doubts, hash, item, authorizations }: Sent,
  outcome: MinedResult,
): Promise<ReplayedTransaction> {
  const isFactory = recorded.created_contracts !== undefined && outcome.status === 'success';
  const created = isFactory ? await reader.createdBy(hash) : undefined;
  const effects = await reader.effects(item.authorizations ?? [], outcome.block);
  const answer = toReplayed(recorded, { hash, item }, { ...outcome, ...compact({ created }) });
  const reasons = [...doubts, ...compareEffects(recorded, authorizations, effects)];
  if (reasons.length === 0) return answer;
  return { ...answer, match: false, differences: [...reasons, ...(answer.differences ?? [])] };
}
