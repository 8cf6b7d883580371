import { gatewayMetricTable } from '../../../apiserver/gateway/metrics.ts';
import { httpMetricTable } from '../../../apiserver/http/pipeline/requestMetrics.ts';
import { kubeMetricTable } from '../../../core/kube/metrics.ts';
import { storageMetricTable } from '../../../core/storage/metrics.ts';
import { forkMetricTable } from '../../../forks/metrics.ts';
import { controllerMetricTable, inventoryMetricTable } from '../../../operator/metrics.ts';
import { outboxMetricTable } from '../../../operator/outbox/metrics.ts';
import { warmMetricTable } from '../../../operator/warm/metrics.ts';
import { featurePanels } from './features.ts';
import { interval, maxBy, type Panel, quantiles, rateBy } from './panel.ts';

/** Those of the mission. */
const rows: { title: string; panels: Panel[] }[] = [
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

/** What the dashboard shows, row by row: panels of features are at the end of theirs. */
export const panelRows = rows.map(({ title, panels }) => ({
  title,
  panels: [...panels, ...featurePanels.filter(({ row }) => row === title)],
}));
