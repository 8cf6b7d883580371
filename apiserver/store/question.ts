import { isUnanswered } from '../../core/kube/client/apiError.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { withDeadline } from '../../core/lib/deadline.ts';
import { AppError, isAppError, messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { backoffMs } from '../../core/lib/work/backoff.ts';
import { shareNext } from './shareNext.ts';

/** After this time without any answer, kube-apiserver counts as away. */
const patienceMs = 2000;
/** The same once it is known to be away, until it answers something: if it is back, it answers in a few milliseconds. */
const awayPatienceMs = 100;
/** How long a request waits for what other replicas have acknowledged. */
export const limitMs = 5000;
/** How long kube-apiserver is asked again, so that who waits is told what it said. */
const askingMs = 4000;

/** Whether kube-apiserver answers, as far as the questions of this process know. */
export interface Presence {
  patienceMs(): number;
  isAway(isAway: boolean): void;
}

export function createPresence(): Presence {
  let isKnownAway = false;
  return {
    patienceMs: () => (isKnownAway ? awayPatienceMs : patienceMs),
    isAway(isAway) {
      isKnownAway = isAway;
    },
  };
}

export interface Asking {
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Call it for each part of an answer. */
  answered(): void;
}

interface QuestionOptions {
  clock: Clock;
  log: Log;
  presence: Presence;
}

/** Resolves to undefined if kube-apiserver is away. Rejects with Unavailable if it refuses, or is too slow. */
export type Question<T> = (key: string) => Promise<T | undefined>;

/**
 * Asks kube-apiserver, and asks again while it refuses. Requests that come together share a question; each gets the answer
 * to one that began after it came.
 */
export function createQuestion<T>(
  options: QuestionOptions,
  read: (key: string, asking: Asking) => Promise<T>,
): Question<T> {
  const shared = shareNext((key) => askOnce(options, (asking) => read(key, asking)));
  const onLate = () => {
    throw behind();
  };
  return (key) => withDeadline({ clock: options.clock, limitMs, onLate }, shared(key));
}

async function askOnce<T>(
  { clock, log, presence }: QuestionOptions,
  read: (asking: Asking) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  const { promise: givenUp, resolve: giveUp, reject } = Promise.withResolvers<undefined>();
  const endMs = clock.steadyMs() + askingMs;
  let refusal: unknown;
  const cancelPatience = clock.after(presence.patienceMs(), () => {
    presence.isAway(true);
    log.debug('kube-apiserver does not answer: answering from the caches', { reason: messageOf(refusal) });
    giveUp(undefined);
  });
  const cancelLimit = clock.after(askingMs, () => reject(refused(refusal)));
  const answered = () => {
    presence.isAway(false);
    cancelPatience();
  };
  const onError = (error: unknown) => {
    refusal = error;
    if (isUnanswered(error)) return;
    answered();
    if (clock.steadyMs() + askedMsOf(error) >= endMs) reject(refused(error));
  };
  const work = async () => {
    const answer = await read({ signal: controller.signal, answered });
    answered();
    return answer;
  };
  try {
    return await Promise.race([persist({ clock, signal: controller.signal, onError }, work), givenUp]);
  } finally {
    cancelPatience();
    cancelLimit();
    controller.abort();
  }
}

interface Persistence {
  clock: Clock;
  signal: AbortSignal;
  onError(error: unknown): void;
}

/** Does `work` until it succeeds, with back-off. Rejects only once `signal` aborts. */
export async function persist<T>(
  { clock, signal, onError }: Persistence,
  work: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      onError(error);
      await clock.sleep(Math.max(askedMsOf(error), backoffMs(failures, { baseMs: 50, maxMs: 1000 })), signal);
    }
  }
}

/** How long kube-apiserver has asked to wait. */
function askedMsOf(error: unknown): number {
  return isAppError(error) && !isUnanswered(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

function refused(cause: unknown): AppError {
  const retryAfterSeconds = (isAppError(cause) ? cause.retryAfterSeconds : undefined) ?? 1;
  const message = 'the cluster cannot say at the moment what other replicas have changed; retry';
  return new AppError('Unavailable', message, { cause, retryAfterSeconds });
}

export function behind(): AppError {
  const message = 'this replica is behind the state of the cluster; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}
