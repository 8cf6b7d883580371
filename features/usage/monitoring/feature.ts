import type { MonitoringFeature } from '../../../hack/generate/monitoring/feature.ts';
import { interval } from '../../../hack/generate/monitoring/panel.ts';
import {
  callUsageMetricTable,
  networkUsageMetricTable,
  transactionUsageMetricTable,
} from '../core/metrics.ts';

export const feature: MonitoringFeature = {
  alerts: [
    {
      alert: 'SlipwayQuotaNearlyFull',
      expr: `max by (workspace) (${networkUsageMetricTable.quotaUsed.name}) > 0.9`,
      for: '15m',
      severity: 'warning',
      annotations: {
        summary: 'The quota of workspace {{ $labels.workspace }} is {{ $value | humanizePercentage }} used.',
      },
    },
  ],
  panels: [
    {
      row: 'Use by workspace',
      title: 'Networks that ran',
      description: 'On average, by workspace.',
      unit: 'short',
      queries: [
        {
          expr: `topk(10, sum by (workspace) (rate(${networkUsageMetricTable.networkSeconds.name}[${interval}])))`,
          legend: '{{workspace}}',
        },
      ],
      needs: 'calls to engines',
    },
    {
      row: 'Use by workspace',
      title: 'RPC calls',
      description: 'Passed on to networks, by workspace.',
      unit: 'reqps',
      queries: [
        {
          expr: `topk(10, sum by (workspace) (rate(${callUsageMetricTable.rpcCalls.name}[${interval}])))`,
          legend: '{{workspace}}',
        },
      ],
      needs: 'calls to engines',
    },
    {
      row: 'Use by workspace',
      title: 'Transactions',
      description: 'Accepted over REST, by workspace.',
      unit: 'ops',
      queries: [
        {
          expr: `topk(10, sum by (workspace) (rate(${transactionUsageMetricTable.transactions.name}[${interval}])))`,
          legend: '{{workspace}}',
        },
      ],
      needs: 'transactions',
    },
    {
      row: 'Use by workspace',
      title: 'Fullest quotas',
      description: 'Of the resource that is nearest to its limit.',
      unit: 'percentunit',
      queries: [
        {
          expr: `topk(10, max by (workspace) (${networkUsageMetricTable.quotaUsed.name}))`,
          legend: '{{workspace}}',
        },
      ],
      needs: 'calls to engines',
    },
  ],
};
