import { defineMetrics, type Metrics } from '../../../core/lib/metrics.ts';

export const webhookMetricTable = defineMetrics({
  queued: {
    type: 'counter',
    name: 'slipway_webhook_events_queued_total',
    help: 'Events that were queued, once for each webhook that gets them.',
  },
  dropped: {
    type: 'counter',
    name: 'slipway_webhook_events_dropped_total',
    help: 'Queued events that were never delivered.',
    labels: { reason: 'BudgetExceeded or Expired' },
  },
  attempts: {
    type: 'counter',
    name: 'slipway_webhook_attempts_total',
    help: 'Attempts to deliver an event.',
    labels: { outcome: 'delivered or failed' },
  },
  attemptDuration: {
    type: 'histogram',
    name: 'slipway_webhook_attempt_duration_seconds',
    help: 'How long receivers took, in seconds.',
  },
});

export interface WebhookMetrics {
  queued(count: number): void;
  dropped(reason: 'BudgetExceeded' | 'Expired', count: number): void;
  attempted(outcome: 'delivered' | 'failed', durationMs: number): void;
}

export function createWebhookMetrics(metrics: Metrics): WebhookMetrics {
  const { queued, dropped, attempts, attemptDuration } = metrics.instruments(webhookMetricTable);
  return {
    queued: (count) => queued.inc(count),
    dropped: (reason, count) => dropped.inc({ reason }, count),
    attempted(outcome, durationMs) {
      attempts.inc({ outcome });
      attemptDuration.observe(durationMs / 1000);
    },
  };
}
