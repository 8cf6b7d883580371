import { isSlipwayError } from './error.ts';
import { isPassing } from './retry.ts';
import type { Runtime } from './runtime.ts';

export interface Limits {
  signal?: AbortSignal | undefined;
  /** No limit when absent, and when 0, as for calls. */
  timeoutMs?: number | undefined;
}

/** The signal of a wait: that of its caller, and `timedOut` when its time is over. `stop` ends the timer. */
export function startLimit(
  runtime: Runtime,
  { signal, timeoutMs }: Limits,
  timedOut: (timeoutMs: number) => Error,
): { signal: AbortSignal; stop: () => void } {
  const limit = new AbortController();
  return {
    signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    stop: timeoutMs ? runtime.after(timeoutMs, () => limit.abort(timedOut(timeoutMs))) : () => {},
  };
}

/** Goes on after a failure that passes; any other, and the end of the wait, is thrown. */
export function ifPassing(error: unknown, signal: AbortSignal): 'later' {
  if (signal.aborted) throw signal.reason;
  const isLater = isSlipwayError(error) && (isPassing(error) || error.reason === 'Timeout');
  if (isLater) return 'later';
  throw error;
}
