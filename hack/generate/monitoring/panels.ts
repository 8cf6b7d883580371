import { auditMetricTable } from '../../../apiserver/audit/metrics.ts';
import { gatewayMetricTable } from '../../../apiserver/gateway/metrics.ts';
import { httpMetricTable } from '../../../apiserver/http/pipeline/requestMetrics.ts';
import { kubeMetricTable } from '../../../core/kube/metrics.ts';
import type { MetricDefinition } from '../../../core/lib/metrics.ts';
import {
  callUsageMetricTable,
  networkUsageMetricTable,
  storageMetricTable,
} from '../../../core/usage/metrics.ts';
import { forkMetricTable } from '../../../forks/metrics.ts';
import { controllerMetricTable, inventoryMetricTable } from '../../../operator/metrics.ts';
import { outboxMetricTable } from '../../../operator/outbox/metrics.ts';
import { warmMetricTable } from '../../../operator/warm/metrics.ts';
import { webhookMetricTable } from '../../../operator/webhook/metrics.ts';

interface Query {
  /** PromQL. */
  expr: string;
  legend: string;
}

export interface Panel {
  title: string;
  description: string;
  /** As Grafana names units. */
  unit: string;
  queries: Query[];
  /** What has to happen before there is anything to show, where that is more than requests and networks. */
  needs?: 'calls to engines' | 'forks' | 'webhooks' | 'transactions';
}

/** Grafana chooses an interval that fits the scrapes. */
const interval = '$__rate_interval';

function rateBy(metric: MetricDefinition, label: string, where = ''): Query {
  return { expr: `sum by (${label}) (rate(${metric.name}${where}[${interval}]))`, legend: `{{${label}}}` };
}

function quantiles(metric: MetricDefinition): Query[] {
  return [0.5, 0.95, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le) (rate(${metric.name}_bucket[${interval}])))`,
    legend: `p${quantile * 100}`,
  }));
}

function maxBy(metric: MetricDefinition, label: string): Query {
  return { expr: `max by (${label}) (${metric.name})`, legend: `{{${label}}}` };
}

/** What the dashboard shows, row by row. */
export const panelRows: { title: string; panels: Panel[] }[] = [
  {
    title: 'REST API',
    panels: [
      {
        title: 'Requests by status',
        description: 'Requests per second.',
        unit: 'reqps',
        queries: [rateBy(httpMetricTable.requests, 'code')],
      },
      {
        title: 'Response time',
        description: 'Streams count from head to end.',
        unit: 's',
        queries: quantiles(httpMetricTable.requestDuration),
      },
      {
        title: 'Busiest operations',
        description: 'Requests per second.',
        unit: 'reqps',
        queries: [
          {
            expr: `topk(10, sum by (operation) (rate(${httpMetricTable.requests.name}[${interval}])))`,
            legend: '{{operation}}',
          },
        ],
      },
    ],
  },
  {
    title: 'RPC gateway',
    panels: [
      {
        title: 'Requests by outcome',
        description: 'HTTP requests and WebSocket handshakes.',
        unit: 'reqps',
        queries: [rateBy(gatewayMetricTable.requests, 'outcome')],
      },
      {
        title: 'Time to answer',
        description: 'With the time that a request was held.',
        unit: 's',
        queries: quantiles(gatewayMetricTable.requestDuration),
      },
      {
        title: 'Held requests and WebSockets',
        description: 'Now, in all replicas.',
        unit: 'short',
        queries: [
          { expr: `sum(${gatewayMetricTable.held.name})`, legend: 'held' },
          { expr: `sum(${gatewayMetricTable.connections.name})`, legend: 'WebSockets' },
        ],
      },
    ],
  },
  {
    title: 'Networks and operator',
    panels: [
      {
        title: 'Networks by state',
        description: 'All workspaces.',
        unit: 'short',
        queries: [
          {
            expr: `sum by (state) (max by (state, chain) (${inventoryMetricTable.networks.name}))`,
            legend: '{{state}}',
          },
        ],
      },
      {
        title: 'Failed reconciles',
        description: 'Share of the reconciles of a controller.',
        unit: 'percentunit',
        queries: [
          {
            expr: `sum by (controller) (rate(${controllerMetricTable.reconciles.name}{outcome="error"}[${interval}]) or 0 * rate(${controllerMetricTable.reconciles.name}[${interval}])) / sum by (controller) (rate(${controllerMetricTable.reconciles.name}[${interval}]))`,
            legend: '{{controller}}',
          },
        ],
      },
      {
        title: 'Time in queues',
        description: 'The slowest 1% of keys.',
        unit: 's',
        queries: [
          {
            expr: `histogram_quantile(0.99, sum by (controller, le) (rate(${controllerMetricTable.queueDuration.name}_bucket[${interval}])))`,
            legend: '{{controller}}',
          },
        ],
      },
      {
        title: 'Leaders',
        description: 'Replicas of the operator that lead: one.',
        unit: 'short',
        queries: [{ expr: `sum(${inventoryMetricTable.leader.name})`, legend: 'leaders' }],
      },
      {
        title: 'Engines that wait',
        description: 'Pods without a network, by state.',
        unit: 'short',
        needs: 'calls to engines',
        queries: [maxBy(warmMetricTable.waiting, 'state')],
      },
      {
        title: 'kube-apiserver',
        description: 'Requests per second, by status; 0 where there was no answer.',
        unit: 'reqps',
        queries: [
          {
            expr: `sum by (code) (rate(${kubeMetricTable.requestDuration.name}_count[${interval}]))`,
            legend: '{{code}}',
          },
        ],
      },
    ],
  },
  {
    title: 'Transactions, webhooks and forks',
    panels: [
      {
        title: 'Open transactions',
        description: 'Accepted and not settled yet.',
        unit: 'short',
        queries: [
          { expr: `max(${outboxMetricTable.open.name})`, legend: 'open' },
          { expr: `max(${outboxMetricTable.oldestAge.name})`, legend: 'age of the oldest in seconds' },
        ],
      },
      {
        title: 'Webhook attempts',
        description: 'By outcome.',
        unit: 'ops',
        needs: 'webhooks',
        queries: [rateBy(webhookMetricTable.attempts, 'outcome')],
      },
      {
        title: 'Requests to fork sources',
        description: 'By outcome.',
        unit: 'reqps',
        needs: 'forks',
        queries: [rateBy(forkMetricTable.sourceRequests, 'outcome')],
      },
    ],
  },
  {
    title: 'Use by workspace',
    panels: [
      {
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
        title: 'Transactions',
        description: 'Accepted over REST, by workspace.',
        unit: 'ops',
        queries: [
          {
            expr: `topk(10, sum by (workspace) (rate(${callUsageMetricTable.transactions.name}[${interval}])))`,
            legend: '{{workspace}}',
          },
        ],
        needs: 'transactions',
      },
      {
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
      {
        title: 'Stored data',
        description: 'What all workspaces store, and the fullest ones, as a part of their budgets.',
        unit: 'percentunit',
        queries: [
          { expr: `max(${storageMetricTable.installationRatio.name})`, legend: 'installation' },
          {
            expr: `topk(10, max by (workspace) (${storageMetricTable.workspaceRatio.name}))`,
            legend: '{{workspace}}',
          },
        ],
      },
      {
        title: 'Audit entries',
        description: 'Stored in the lists of workspaces, or dropped.',
        unit: 'ops',
        queries: [rateBy(auditMetricTable.entries, 'outcome')],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Memory',
        description: 'Resident, by process.',
        unit: 'bytes',
        queries: [{ expr: 'process_resident_memory_bytes{job=~".*-metrics"}', legend: '{{pod}}' }],
      },
      {
        title: 'CPU',
        description: 'Cores, by process.',
        unit: 'short',
        queries: [
          { expr: `rate(process_cpu_seconds_total{job=~".*-metrics"}[${interval}])`, legend: '{{pod}}' },
        ],
      },
      {
        title: 'Event loop',
        description: 'The slowest 1% of turns.',
        unit: 's',
        queries: [{ expr: 'nodejs_eventloop_lag_p99_seconds{job=~".*-metrics"}', legend: '{{pod}}' }],
      },
    ],
  },
];
