import type { Kube } from '../kube/kube.ts';
import type { Clock } from '../lib/clock.ts';
import type { Signer } from '../signing/signer.ts';
import type { SignedTransaction } from '../signing/signing.ts';
import { type CommitDeps, createCommit } from './commit.ts';
import { createKnownLane, type KnownLane } from './knownLane.ts';
import { type LaneRef, laneNameOf } from './outboxObjects.ts';
import { checkSubmission, type Submission, sizeOf } from './submission.ts';

/** What was taken for a submission. */
export interface Accepted {
  /** In the order of the submission, known from the signed bytes. */
  hashes: string[];
  /** To be sent; empty when the intent had been accepted before. */
  signed: SignedTransaction[];
  /** Whether an earlier submission had the same intent: then this is its outcome, and nothing new was taken. */
  isRepeated: boolean;
}

/**
 * Nonces and the order in which a signer's transactions are sent. Any number of processes may hold lanes of the same
 * signer: the write to the Outbox is the lock.
 */
export interface Lanes {
  /**
   * Takes nonces, signs, and writes the signed bytes down; resolves when that is durable, and before anything is
   * sent: sending is up to the caller, and to the operator whenever the caller does not get to it. The same intent on
   * the same lane gives the same hashes, for at least an hour after it was mined. Submissions of a lane that come
   * together share a write. Rejects with BadRequest (too many or too large), or Unavailable: then nothing was taken,
   * unless Kubernetes itself did not answer; who needs to know repeats with the same intent.
   */
  submit(submission: Submission): Promise<Accepted>;
  /** The hashes that an intent has come to on a lane, as of now; undefined when it is new. */
  findIntent(lane: LaneRef, intent: string): Promise<string[] | undefined>;
}

export interface LanesOptions {
  kube: Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'delete' | 'serverTimeMs'>;
  signer: Signer;
  clock: Clock;
  /** In [0, 1); Math.random when absent. */
  random?: () => number;
}

/** Most lanes that are remembered when nothing is under way in them. */
const maxRemembered = 2000;
const maxGroupTransactions = 1000;
const maxGroupBytes = 1_500_000;

interface Waiting {
  submission: Submission;
  resolve(accepted: Accepted): void;
  reject(error: unknown): void;
}

interface Lane {
  /** What the next write stands on. */
  known: KnownLane;
  /** What questions are answered from. */
  seen: KnownLane;
  waiting: Waiting[];
  isBusy: boolean;
}

export function createLanes(options: LanesOptions): Lanes {
  const deps: CommitDeps = { random: Math.random, ...options };
  const commit = createCommit(deps);
  const lanes = new Map<string, Lane>();

  function laneOf(ref: LaneRef): Lane {
    const name = laneNameOf(ref);
    const lane = lanes.get(name) ?? {
      known: createKnownLane(options.kube, ref),
      seen: createKnownLane(options.kube, ref),
      waiting: [],
      isBusy: false,
    };
    // The one used last is last.
    lanes.delete(name);
    lanes.set(name, lane);
    forgetOldest();
    return lane;
  }

  function forgetOldest(): void {
    for (const [name, { isBusy }] of lanes) {
      if (lanes.size <= maxRemembered) return;
      if (!isBusy) lanes.delete(name);
    }
  }

  /** One write at a time; what comes meanwhile shares the next. */
  async function work(lane: Lane): Promise<void> {
    lane.isBusy = true;
    while (lane.waiting.length > 0) {
      const group = takeGroup(lane.waiting);
      try {
        const accepted = await commit(
          lane.known,
          group.map(({ submission }) => submission),
        );
        for (const [index, outcome] of accepted.entries()) group[index]?.resolve(outcome);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    lane.isBusy = false;
  }

  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        checkSubmission(submission);
        const lane = laneOf(submission.lane);
        lane.waiting.push({ submission, resolve, reject });
        if (!lane.isBusy) void work(lane);
      }),
    async findIntent(ref, intent) {
      const { seen } = laneOf(ref);
      seen.forget();
      const batch = await seen.find((candidate) => candidate.intent === intent);
      return batch && seen.hashesOf(batch);
    },
  };
}

/** The first ones that fit into one write, at least one. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let transactions = 0;
  let bytes = 0;
  const end = waiting.findIndex(({ submission }, index) => {
    transactions += submission.transactions.length;
    bytes += sizeOf(submission);
    return index > 0 && (transactions > maxGroupTransactions || bytes > maxGroupBytes);
  });
  return waiting.splice(0, end === -1 ? waiting.length : end);
}
