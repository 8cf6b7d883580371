import type { Clock } from '../../../console/src/lib/clock.ts';
import type { WebhookDelivery, WebhookDeliveryList } from '../../../sdk/src/generated/types.ts';

/** After these times somebody who sent something is shown what came of it. A receiver that is slower is read by hand. */
const readAfterMs: readonly number[] = [500, 1_500, 4_000, 9_000];

interface Waiting {
  clock: Clock;
  signal: AbortSignal;
  read: () => Promise<WebhookDeliveryList>;
}

const isTried = ({ state, attempts }: WebhookDelivery) => state !== 'pending' || attempts > 0;

/** Waits until a delivery that was just queued was tried, in a few reads. False when it was not by then. */
export async function waitForAttempt(id: string, { clock, signal, read }: Waiting): Promise<boolean> {
  for (const ms of readAfterMs) {
    await pause(clock, ms);
    if (signal.aborted) return false;
    const { items } = await read();
    const found = items.find((one) => one.id === id);
    if (found && isTried(found)) return true;
  }
  return false;
}

const pause = (clock: Clock, ms: number) => new Promise<void>((done) => void clock.after(ms, done));
