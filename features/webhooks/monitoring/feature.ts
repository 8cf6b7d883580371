import type { MonitoringFeature } from '../../../hack/generate/monitoring/feature.ts';
import { rateBy } from '../../../hack/generate/monitoring/panel.ts';
import { webhookMetricTable } from '../operator/metrics.ts';

export const feature: MonitoringFeature = {
  alerts: [
    {
      alert: 'SlipwayWebhooksFail',
      expr: `sum(rate(${webhookMetricTable.attempts.name}{outcome="failed"}[15m])) / sum(rate(${webhookMetricTable.attempts.name}[15m])) > 0.5`,
      for: '30m',
      severity: 'warning',
      annotations: { summary: 'More than half of the attempts to deliver to webhooks fail.' },
    },
    {
      alert: 'SlipwayWebhookEventsDropped',
      expr: `sum by (reason) (increase(${webhookMetricTable.dropped.name}[1h])) > 0`,
      for: '5m',
      severity: 'warning',
      annotations: { summary: 'Events for webhooks were dropped: {{ $labels.reason }}.' },
    },
  ],
  panels: [
    {
      row: 'Transactions, webhooks and forks',
      title: 'Webhook attempts',
      description: 'By outcome.',
      unit: 'ops',
      needs: 'webhooks',
      queries: [rateBy(webhookMetricTable.attempts, 'outcome')],
    },
  ],
};
