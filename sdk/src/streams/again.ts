import { isSlipwayError } from '../error.ts';
import { isPassing } from '../retry.ts';
import { type Runtime, sleep } from '../runtime.ts';

/** What the connections of one stream know of those before. */
export interface Progress {
  hasBegun: boolean;
}

const waitMs = 1_000;

/**
 * One connection after the other, without end. Ends when the network no longer runs; throws SlipwayError when the first
 * connection is refused, and the reason of `signal` once that is aborted.
 */
export async function* again<T>(
  runtime: Runtime,
  signal: AbortSignal | undefined,
  connect: (progress: Progress) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const progress = { hasBegun: false };
  for (;;) {
    try {
      yield* connect(progress);
    } catch (error) {
      if (isOver(error, progress, signal)) return;
    }
    await sleep(runtime, waitMs, signal);
  }
}

/** Whether there is nothing more to come: the network was stopped or deleted, or the key revoked. Throws what the caller must know. */
function isOver(error: unknown, { hasBegun }: Progress, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) throw signal.reason;
  if (!hasBegun || !isSlipwayError(error)) throw error;
  return !isPassing(error) && error.reason !== 'Timeout';
}
