import { doubledMs } from '../../core/lib/work/backoff.ts';
import type { Ui } from '../io/ui.ts';
import { isSlipwayError } from './client.ts';
import type { Context } from './context.ts';
import { fail, failureIn } from './failure.ts';
import { type Feed, type Look, type RunningFeed, startFeed } from './look.ts';
import type { Options } from './options.ts';

export interface Wait {
  /** What is waited for, as it ends a sentence: `network "a"`. */
  what: string;
  /** Whether a problem continues the sentence that `what` begins. */
  isSentence?: boolean;
  /** The command that shows how it goes on. */
  follow: string;
  look: (signal: AbortSignal) => Promise<Look>;
  /** Events of the object, where it has any. */
  feed?: Feed;
}

const defaultTimeoutMs = 600_000;
const backoff = { baseMs: 500, maxMs: 5_000 };

/**
 * Waits until it is done: each state that events bring is shown, and without events it looks by itself. Ends at once with code 6
 * when it cannot be done, with 124 after the timeout, with 130 when the user interrupts, and with the refusal when the
 * credentials are not valid any more. A look that fails otherwise is repeated.
 */
export async function waitUntil(context: Context, wait: Wait, options: Options): Promise<void> {
  const { io, ui } = context;
  const timeoutMs = options.durationMs('timeout') ?? defaultTimeoutMs;
  const timeout = new AbortController();
  const end = new AbortController();
  const cancel = io.clock.after(timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([io.signal, timeout.signal, end.signal]);
  try {
    await observe(context, wait, signal);
  } catch (error) {
    throw ending(error, {
      wait,
      timeoutMs,
      isTimeout: timeout.signal.aborted,
      isInterrupted: io.signal.aborted,
    });
  } finally {
    cancel();
    end.abort();
    ui.end();
  }
}

async function observe({ io, ui }: Context, wait: Wait, signal: AbortSignal): Promise<void> {
  const feed = startFeed(wait.feed, signal);
  const show = createShow(ui);
  let failedLooks = 0;
  for (;;) {
    signal.throwIfAborted();
    for (const look of await looksOf(wait, feed, signal)) {
      failedLooks = look ? 0 : failedLooks + 1;
      show(look ?? silence(wait));
      if (look?.problem) throw fail('endedInError', problemText(wait, look.problem), wait.follow);
      if (look?.isDone) return;
    }
    const pause = feed.isLive() ? backoff.maxMs : doubledMs(failedLooks + 1, backoff);
    await Promise.race([io.clock.sleep(pause, signal), feed.next()]);
  }
}

/** Shows a step unless it is the one that was shown last. */
function createShow(ui: Ui): (look: Look) => void {
  let shown = '';
  return ({ step, text }) => {
    const key = JSON.stringify(step);
    if (key !== shown) ui.step(step, text);
    shown = key;
  };
}

/** What events brought, or else what a look says: undefined when the service does not answer. */
async function looksOf(wait: Wait, feed: RunningFeed, signal: AbortSignal): Promise<(Look | undefined)[]> {
  const looks = feed.take();
  if (looks.length > 0) return looks;
  return [await wait.look(signal).catch((error: unknown) => excused(error, signal))];
}

function problemText({ what, isSentence = false }: Wait, problem: string): string {
  return isSentence ? `${capital(what)} ${problem}` : `${what} ended: ${problem}`;
}

function silence({ what }: Wait): Look {
  return {
    text: `${what}: the service does not answer, retrying`,
    step: { type: 'waiting' },
    isDone: false,
  };
}

/** A failure that may pass is none of the wait's; everything else ends it. */
function excused(error: unknown, signal: AbortSignal): undefined {
  if (signal.aborted || failureIn(error)) throw error;
  const isRefusal =
    isSlipwayError(error) && error.status >= 400 && error.status < 500 && error.status !== 429;
  if (isRefusal) throw error;
  return undefined;
}

interface End {
  wait: Wait;
  timeoutMs: number;
  isTimeout: boolean;
  isInterrupted: boolean;
}

function ending(error: unknown, { wait, timeoutMs, isTimeout, isInterrupted }: End): unknown {
  if (failureIn(error)) return error;
  if (isInterrupted) return fail('interrupted', `Interrupted. ${capital(wait.what)} goes on.`, wait.follow);
  if (!isTimeout) return error;
  const seconds = `${Math.round(timeoutMs / 1_000)}s`;
  return fail('timeout', `${capital(wait.what)} was not done after ${seconds}, and goes on.`, wait.follow);
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
