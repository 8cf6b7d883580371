import { SlipwayError } from '../error.ts';
import type { Runtime } from '../runtime.ts';

/**
 * The text of a response as it arrives. Throws SlipwayError Unreachable when the connection breaks, and when nothing
 * arrives for `quietMs`: a connection that is dead without an end looks like that.
 */
export async function* partsOf(
  response: Response,
  runtime: Runtime,
  quietMs?: number,
): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let isQuiet = false;
  let stopTimer = () => {};
  const restartTimer = () => {
    stopTimer();
    if (quietMs === undefined) return;
    stopTimer = runtime.after(quietMs, () => {
      isQuiet = true;
      void reader.cancel().catch(() => {});
    });
  };
  try {
    for (;;) {
      restartTimer();
      const { done, value } = await reader.read().catch((cause) => {
        throw new SlipwayError('the connection broke', { reason: 'Unreachable', cause });
      });
      if (isQuiet) throw new SlipwayError(`nothing arrived for ${quietMs} ms`, { reason: 'Unreachable' });
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    stopTimer();
    void reader.cancel().catch(() => {});
  }
}
