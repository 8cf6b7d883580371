import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { defineMetrics, type Metrics } from '../../core/lib/metrics.ts';
import { flatMapBatches } from '../../core/outbox/batches.ts';
import type { Result } from '../../core/outbox/results.ts';

export const outboxMetricTable = defineMetrics({
  settled: {
    type: 'counter',
    name: 'slipway_outbox_settled_transactions_total',
    help: 'Accepted transactions that reached their final state.',
    labels: { state: 'mined, failed (reverted) or dropped' },
  },
  resent: {
    type: 'counter',
    name: 'slipway_outbox_resent_transactions_total',
    help: 'Times that an accepted transaction was sent to its node again.',
  },
  nonceGap: {
    type: 'counter',
    name: 'slipway_outbox_nonce_gap_transactions_total',
    help: 'Transactions sent only to use up a nonce, so that later transactions can be mined.',
  },
  open: {
    type: 'gauge',
    name: 'slipway_outbox_open_transactions',
    help: 'Accepted transactions that have not reached their final state.',
  },
  oldestAge: {
    type: 'gauge',
    name: 'slipway_outbox_oldest_open_transaction_age_seconds',
    help: 'Age in seconds of the oldest open transaction; 0 when there is none.',
  },
});

export interface OutboxMetrics {
  settled(result: Result): void;
  /** Transactions that were sent again. */
  resent(count: number): void;
  filled(): void;
}

export function createOutboxMetrics(metrics: Metrics): OutboxMetrics {
  const { settled, resent, nonceGap } = metrics.instruments(outboxMetricTable);
  return {
    settled: ({ state }) => settled.inc({ state }),
    resent: (count) => resent.inc(count),
    filled: () => nonceGap.inc(),
  };
}

/** Sets the gauges of open transactions over all sender queues; called before each scrape. */
export function createOutboxCollector(
  metrics: Metrics,
  list: () => Iterable<OutboxResource>,
  nowMs: () => number,
): () => void {
  const { open, oldestAge } = metrics.instruments(outboxMetricTable);
  return () => {
    let count = 0;
    let firstMs = nowMs();
    for (const object of list()) {
      if (object.spec.role !== 'queue') continue;
      for (const batch of flatMapBatches(object, (one) => [one])) {
        count += batch.count;
        firstMs = Math.min(firstMs, parseRfc3339(batch.acceptedAt) ?? firstMs);
      }
    }
    open.set(count);
    oldestAge.set(Math.max(0, (nowMs() - firstMs) / 1000));
  };
}
