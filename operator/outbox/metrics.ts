import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { unlessSpoilt } from '../../core/outbox/batches.ts';
import type { Result } from '../../core/outbox/results.ts';

export interface OutboxMeters {
  settled(result: Result): void;
  /** Bytes that were sent again. */
  resent(count: number): void;
  filled(): void;
}

export function createOutboxMeters(metrics: Metrics): OutboxMeters {
  const settled = metrics.counter('outbox_settled_total', 'Transactions by what became of them.', ['state']);
  const resent = metrics.counter('outbox_resent_total', 'Transactions sent again after their acceptance.');
  const filled = metrics.counter(
    'outbox_filled_total',
    'Nonces used up so that later transactions are mined.',
  );
  return {
    settled: ({ state }) => settled.inc({ state }),
    resent: (count) => resent.inc(count),
    filled: () => filled.inc(),
  };
}

/** Gauges of what waits in all sender queues, counted anew at each scrape. */
export function gaugeOutbox(
  metrics: Metrics,
  list: () => Iterable<OutboxResource>,
  nowMs: () => number,
): () => void {
  const open = metrics.gauge('outbox_open', 'Accepted transactions that are not settled.');
  const oldest = metrics.gauge('outbox_oldest_seconds', 'Age of the oldest of them.');
  return () => {
    let count = 0;
    let firstMs = nowMs();
    for (const object of list()) {
      if (object.spec.role !== 'queue') continue;
      for (const batch of unlessSpoilt(object, (one) => [one])) {
        count += batch.count;
        firstMs = Math.min(firstMs, parseRfc3339(batch.acceptedAt) ?? firstMs);
      }
    }
    open.set(count);
    oldest.set(Math.max(0, (nowMs() - firstMs) / 1000));
  };
}
