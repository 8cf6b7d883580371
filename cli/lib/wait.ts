import { isSlipwayError } from './client.ts';
import type { Context } from './context.ts';
import { fail, failureIn } from './failure.ts';
import type { Options } from './options.ts';

/** What a look at the object says: where it stands, and whether the wait is over. */
export interface Look {
  /** For people: the state, the step and the message. */
  text: string;
  /** For --ndjson. */
  step: object;
  isDone: boolean;
  /** Why it will never be done. */
  problem?: string | undefined;
}

export interface Wait {
  /** What is waited for, as it ends a sentence: `network "a"`. */
  what: string;
  /** The command that shows how it goes on. */
  follow: string;
  look: (signal: AbortSignal) => Promise<Look>;
  /** Ends the pause before the next look, as soon as something changed. */
  changed?: (signal: AbortSignal) => Promise<void>;
}

const defaultTimeoutMs = 600_000;
const pauseMs = 500;
const longestPauseMs = 5_000;

/**
 * Looks until it is done. Ends at once with code 6 when it cannot be, with 124 after the timeout, with 130 when the user
 * interrupts, and with the refusal when the credentials are not valid any more. A look that fails otherwise is repeated.
 */
export async function waitUntil(context: Context, wait: Wait, options: Options): Promise<void> {
  const { io, ui } = context;
  const timeoutMs = options.durationMs('timeout') ?? defaultTimeoutMs;
  const timeout = new AbortController();
  const cancel = io.clock.after(timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([io.signal, timeout.signal]);
  let failedLooks = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const look = await wait.look(signal).catch((error: unknown) => excused(error, signal));
      failedLooks = look ? 0 : failedLooks + 1;
      if (look) ui.step(look.step, look.text);
      else ui.step({ type: 'waiting' }, `${wait.what}: the service does not answer, trying again`);
      if (look?.problem) throw fail('endedInError', `${wait.what} ended: ${look.problem}`, wait.follow);
      if (look?.isDone) return;
      const longMs = Math.min(pauseMs * 2 ** failedLooks, longestPauseMs);
      await Promise.race([
        io.clock.sleep(longMs, signal),
        ...(wait.changed && look ? [wait.changed(signal)] : []),
      ]);
    }
  } catch (error) {
    throw ending(error, {
      wait,
      timeoutMs,
      isTimeout: timeout.signal.aborted,
      isInterrupted: io.signal.aborted,
    });
  } finally {
    cancel();
    ui.end();
  }
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
