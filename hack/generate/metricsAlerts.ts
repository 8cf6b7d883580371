import { gatewayMetricTable } from '../../apiserver/gateway/metrics.ts';
import { httpMetricTable } from '../../apiserver/http/pipeline/requestMetrics.ts';
import { relayMetricTable } from '../../core/crosschain/relay/metrics.ts';
import { controllerMetricTable, inventoryMetricTable } from '../../operator/metrics.ts';
import { outboxMetricTable } from '../../operator/outbox/metrics.ts';

/** A rule in Prometheus format. */
interface Alert {
  alert: string;
  /** PromQL. */
  expr: string;
  for: string;
  annotations: { summary: string };
}

const reconciles = controllerMetricTable.reconciles.name;
const queueDuration = controllerMetricTable.queueDuration.name;
const httpRequests = httpMetricTable.requests.name;
const rpcRequests = gatewayMetricTable.requests.name;

/** The examples in docs/metrics.md. Their metrics come from the tables, so that each name is written only once. */
export const alerts: readonly Alert[] = [
  {
    alert: 'SlipwayDown',
    expr: 'up{job="slipway-metrics"} == 0',
    for: '5m',
    annotations: { summary: '{{ $labels.pod }} does not answer scrapes.' },
  },
  {
    alert: 'SlipwayReconcilesFail',
    expr: `sum by (controller) (rate(${reconciles}{outcome="error"}[10m])) / sum by (controller) (rate(${reconciles}[10m])) > 0.2`,
    for: '15m',
    annotations: { summary: 'More than 20% of the reconciles of {{ $labels.controller }} fail.' },
  },
  {
    alert: 'SlipwayQueueSlow',
    expr: `histogram_quantile(0.99, sum by (controller, le) (rate(${queueDuration}_bucket[10m]))) > 5`,
    for: '15m',
    annotations: {
      summary: 'Keys of {{ $labels.controller }} wait for more than 5 s before they are reconciled.',
    },
  },
  {
    alert: 'SlipwayNetworksInError',
    expr: `max by (chain) (${inventoryMetricTable.networks.name}{state="Error"}) > 0`,
    for: '15m',
    annotations: { summary: '{{ $value }} {{ $labels.chain }} networks are in state Error.' },
  },
  {
    alert: 'SlipwayApiErrors',
    expr: `sum(rate(${httpRequests}{code=~"5.."}[5m])) / sum(rate(${httpRequests}[5m])) > 0.01`,
    for: '10m',
    annotations: { summary: 'More than 1% of the requests to the REST API fail with a 5xx status.' },
  },
  {
    alert: 'SlipwayGatewayErrors',
    expr: `sum(rate(${rpcRequests}{outcome=~"unavailable|nodeFailed"}[5m])) / sum(rate(${rpcRequests}[5m])) > 0.05`,
    for: '10m',
    annotations: { summary: 'More than 5% of the requests to endpoint URLs reach no working node.' },
  },
  {
    alert: 'SlipwayTransactionsStuck',
    expr: `max(${outboxMetricTable.oldestAge.name}) > 600`,
    for: '5m',
    annotations: { summary: 'An accepted transaction has been open for {{ $value | humanizeDuration }}.' },
  },
  {
    alert: 'SlipwayRelayBehind',
    expr: `max by (protocol, source) (${relayMetricTable.lag.name}) > 1000`,
    for: '15m',
    annotations: {
      summary: 'The {{ $labels.protocol }} relay is {{ $value }} blocks behind {{ $labels.source }}.',
    },
  },
];
