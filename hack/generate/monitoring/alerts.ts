import { gatewayMetricTable } from '../../../apiserver/gateway/metrics.ts';
import { httpMetricTable } from '../../../apiserver/http/pipeline/requestMetrics.ts';
import { relayMetricTable } from '../../../core/crosschain/relay/metrics.ts';
import { engineMetricTable } from '../../../core/engines/metrics.ts';
import { kubeMetricTable } from '../../../core/kube/metrics.ts';
import { storageMetricTable } from '../../../core/storage/metrics.ts';
import { forkMetricTable } from '../../../forks/metrics.ts';
import { controllerMetricTable, inventoryMetricTable } from '../../../operator/metrics.ts';
import { outboxMetricTable } from '../../../operator/outbox/metrics.ts';
import type { Alert } from './alert.ts';
import { featureAlerts } from './features.ts';

const reconciles = controllerMetricTable.reconciles.name;
const queueDuration = controllerMetricTable.queueDuration.name;
const httpRequests = httpMetricTable.requests.name;
const kubeRequests = kubeMetricTable.requestDuration.name;
const forkRequests = forkMetricTable.sourceRequests.name;
const rpcRequests = gatewayMetricTable.requests.name;

/** The alerts of the chart. Their metrics come from the tables, so that each name is written only once. */
export const alerts: readonly Alert[] = [
  {
    alert: 'SlipwayDown',
    expr: 'up{job="slipway-metrics"} == 0',
    for: '5m',
    severity: 'critical',
    annotations: { summary: '{{ $labels.pod }} does not answer scrapes.' },
  },
  {
    alert: 'SlipwayReconcilesFail',
    expr: `sum by (controller) (rate(${reconciles}{outcome="error"}[10m])) / sum by (controller) (rate(${reconciles}[10m])) > 0.2`,
    for: '15m',
    severity: 'critical',
    annotations: { summary: 'More than 20% of the reconciles of {{ $labels.controller }} fail.' },
  },
  {
    alert: 'SlipwayQueueSlow',
    expr: `histogram_quantile(0.99, sum by (controller, le) (rate(${queueDuration}_bucket[10m]))) > 5`,
    for: '15m',
    severity: 'warning',
    annotations: {
      summary: 'Keys of {{ $labels.controller }} wait for more than 5 s before they are reconciled.',
    },
  },
  {
    alert: 'SlipwayNetworksInError',
    expr: `max by (chain) (${inventoryMetricTable.networks.name}{state="Error"}) > 0`,
    for: '15m',
    severity: 'warning',
    annotations: { summary: '{{ $value }} {{ $labels.chain }} networks are in state Error.' },
  },
  {
    alert: 'SlipwayApiErrors',
    expr: `sum(rate(${httpRequests}{code=~"5.."}[5m])) / sum(rate(${httpRequests}[5m])) > 0.01`,
    for: '10m',
    severity: 'critical',
    annotations: { summary: 'More than 1% of the requests to the REST API fail with a 5xx status.' },
  },
  {
    alert: 'SlipwayGatewayErrors',
    expr: `sum(rate(${rpcRequests}{outcome=~"unavailable|nodeFailed"}[5m])) / sum(rate(${rpcRequests}[5m])) > 0.05`,
    for: '10m',
    severity: 'critical',
    annotations: { summary: 'More than 5% of the requests to endpoint URLs reach no working node.' },
  },
  {
    alert: 'SlipwayTransactionsStuck',
    expr: `max(${outboxMetricTable.oldestAge.name}) > 600`,
    for: '5m',
    severity: 'warning',
    annotations: { summary: 'An accepted transaction has been open for {{ $value | humanizeDuration }}.' },
  },
  {
    alert: 'SlipwayRelayBehind',
    expr: `max by (protocol, source) (${relayMetricTable.lag.name}) > 1000`,
    for: '15m',
    severity: 'warning',
    annotations: {
      summary: 'The {{ $labels.protocol }} relay is {{ $value }} blocks behind {{ $labels.source }}.',
    },
  },
  {
    alert: 'SlipwayNoLeader',
    expr: `(sum(${inventoryMetricTable.leader.name}) or vector(0)) < 1`,
    for: '2m',
    severity: 'critical',
    annotations: { summary: 'No replica of the operator leads: nothing is reconciled.' },
  },
  {
    alert: 'SlipwayKubernetesUnreachable',
    expr: `sum(rate(${kubeRequests}_count{code=~"0|5.."}[5m])) / sum(rate(${kubeRequests}_count[5m])) > 0.1`,
    for: '5m',
    severity: 'critical',
    annotations: { summary: 'More than 10% of the requests to kube-apiserver fail.' },
  },
  {
    alert: 'SlipwayGatewaySlow',
    expr: `histogram_quantile(0.99, sum by (le) (rate(${gatewayMetricTable.requestDuration.name}_bucket[10m]))) > 5`,
    for: '15m',
    severity: 'warning',
    annotations: { summary: '1% of the requests to endpoint URLs take longer than 5 s.' },
  },
  {
    alert: 'SlipwayForkSourceFails',
    expr: `sum by (type) (rate(${forkRequests}{outcome="failed"}[10m])) / sum by (type) (rate(${forkRequests}[10m])) > 0.1`,
    for: '10m',
    severity: 'warning',
    annotations: { summary: 'More than 10% of the requests to sources of {{ $labels.type }} forks fail.' },
  },
  {
    alert: 'SlipwayStorageNearlyFull',
    expr: `max(${storageMetricTable.installationRatio.name}) > 0.8`,
    for: '15m',
    severity: 'warning',
    annotations: {
      summary:
        'What workspaces store in etcd is {{ $value | humanizePercentage }} of its budget (quota.storedMiB).',
    },
  },
  {
    alert: 'SlipwayWorkspaceStorageNearlyFull',
    expr: `max by (workspace) (${storageMetricTable.workspaceRatio.name}) > 0.9`,
    for: '15m',
    severity: 'warning',
    annotations: {
      summary:
        'Workspace {{ $labels.workspace }} stores {{ $value | humanizePercentage }} of what it may (quota.workspaceStoredMiB).',
    },
  },
  {
    alert: 'SlipwayOldMasterKey',
    expr: `count(max by (key) (${inventoryMetricTable.secrets.name}{key!="none"}) > 0) > 1`,
    for: '24h',
    severity: 'warning',
    annotations: { summary: 'Secrets are still sealed with a master key that was replaced a day ago.' },
  },
  {
    alert: 'SlipwayEnginesInvalid',
    expr: `max by (object) (${engineMetricTable.invalid.name}) > 0`,
    for: '5m',
    severity: 'warning',
    annotations: { summary: '{{ $value }} entries of the ConfigMap {{ $labels.object }} are invalid.' },
  },
  ...featureAlerts,
];

/** Where the documents say what to do about an alert. */
function runbookOf({ alert }: Alert): string {
  return `docs/observability.md#${alert.toLowerCase()}`;
}

/** The groups of a rule file of Prometheus, and the spec of a PrometheusRule. */
export function ruleGroups() {
  const rules = alerts.map((one) => ({
    alert: one.alert,
    expr: one.expr,
    for: one.for,
    labels: { severity: one.severity },
    annotations: { ...one.annotations, runbook_url: runbookOf(one) },
  }));
  return { groups: [{ name: 'slipway', rules }] };
}
