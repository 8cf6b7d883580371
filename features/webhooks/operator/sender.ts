import { messageOf } from '../../../core/lib/errors.ts';
import { whenAborted } from '../../../core/lib/work/whenAborted.ts';
import { createDeliver, type DeliverParts } from './deliver.ts';
import type { WebhookDeps } from './deps.ts';
import type { WebhookQueue } from './queues.ts';
import { createShares } from './shares.ts';

/** Sends what is due. */
interface Sender {
  /** Something is, or may be, due. */
  pump(): void;
  run(signal: AbortSignal): Promise<void>;
}

export function createSender(deps: WebhookDeps, parts: DeliverParts): Sender {
  const { clock } = deps;
  const underWay = new Set<Promise<void>>();
  const begin = createBegin(deps, parts, { underWay, onEnd: pump });
  let isStopped = true;
  let cancel: (() => void) | undefined;

  function pump(): void {
    if (isStopped) return;
    const nowMs = clock.nowMs();
    let isMore = true;
    while (isMore) isMore = begin(nowMs);
    cancel?.();
    const nextMs = nextDueMs(parts.queues.list(), nowMs);
    cancel = nextMs === undefined ? undefined : clock.after(nextMs - nowMs, pump);
  }

  return {
    pump,
    async run(signal) {
      isStopped = false;
      pump();
      await whenAborted(signal);
      isStopped = true;
      cancel?.();
      await Promise.all(underWay);
      await parts.outcomes.flush();
    },
  };
}

interface UnderWay {
  underWay: Set<Promise<void>>;
  onEnd(): void;
}

/** Begins the next delivery; false if none is due. */
function createBegin(
  deps: WebhookDeps,
  parts: DeliverParts,
  { underWay, onEnd }: UnderWay,
): (nowMs: number) => boolean {
  const shares = createShares(deps.deliveries.concurrent, deps.shareOf);
  const deliver = createDeliver(deps, parts);
  return (nowMs) => {
    const isDue = (queue: WebhookQueue) => isOpen(queue, nowMs) && parts.openWebhook(queue) !== undefined;
    const queue = shares.choose(parts.queues.list(), isDue);
    const pending = queue?.lane.take(nowMs);
    if (!queue || !pending) return false;
    const end = shares.begin(queue);
    const work = deliver(queue, pending)
      .catch((error: unknown) =>
        deps.log.error('a delivery failed unexpectedly', { error: messageOf(error) }),
      )
      .finally(() => {
        end();
        underWay.delete(work);
        onEnd();
      });
    underWay.add(work);
    return true;
  };
}

function isOpen({ verdict, notBeforeMs, lane }: WebhookQueue, nowMs: number): boolean {
  return verdict === undefined && notBeforeMs <= nowMs && lane.hasDue(nowMs);
}

/** When something becomes due. What is due already waits for a share or for its webhook, and either calls `pump`. */
function nextDueMs(queues: Iterable<WebhookQueue>, nowMs: number): number | undefined {
  let least: number | undefined;
  for (const { lane, notBeforeMs } of queues) {
    const dueMs = lane.hasDue(nowMs) ? nowMs : lane.nextDueMs();
    const timeMs = dueMs === undefined ? undefined : Math.max(dueMs, notBeforeMs);
    if (timeMs !== undefined && timeMs > nowMs) least = Math.min(least ?? timeMs, timeMs);
  }
  return least;
}
