import { masterKeyIdOf } from '../core/accounts/seal.ts';
import type { NetworkResource } from '../core/api/resources/network.ts';
import { networkStates } from '../core/api/resources/networkStatus.ts';
import type { SecretResource } from '../core/api/resources/secret.ts';
import { relayMetricTable } from '../core/crosschain/relay/metrics.ts';
import { engineMetricTable } from '../core/engines/metrics.ts';
import { kubeMetricTable } from '../core/kube/metrics.ts';
import { heapMetricTable } from '../core/lib/liveHeap.ts';
import { defineMetrics, type Metrics } from '../core/lib/metrics.ts';
import { storageMetricTable } from '../core/storage/metrics.ts';
import { tracingMetricTable } from '../core/tracing/metrics.ts';
import { featureMetricTables } from './features.ts';
import { outboxMetricTable } from './outbox/metrics.ts';
import type { ControllerMetrics } from './runtime/controller.ts';
import type { QueueMetrics } from './runtime/queue.ts';
import { warmMetricTable } from './warm/metrics.ts';

const labels = { controller: 'name of the controller, such as network' };

const controllerMetricTable = defineMetrics({
  depth: {
    type: 'gauge',
    name: 'slipway_workqueue_depth',
    help: 'Keys waiting in the queue of a controller.',
    labels,
  },
  queueDuration: {
    type: 'histogram',
    name: 'slipway_workqueue_queue_duration_seconds',
    help: 'Time in seconds that a key waited in the queue before its reconcile started.',
    labels,
  },
  retries: {
    type: 'counter',
    name: 'slipway_workqueue_retries_total',
    help: 'Keys queued again after a failed reconcile.',
    labels,
  },
  reconciles: {
    type: 'counter',
    name: 'slipway_reconciles_total',
    help: 'Reconciles that ended.',
    labels: { ...labels, outcome: 'ok or error' },
  },
  reconcileDuration: {
    type: 'histogram',
    name: 'slipway_reconcile_duration_seconds',
    help: 'Duration of a reconcile in seconds.',
    labels,
  },
});

export const inventoryMetricTable = defineMetrics({
  leader: {
    type: 'gauge',
    name: 'slipway_operator_leader',
    help: 'Whether the replica leads: 1 if it does, 0 in the others.',
  },
  networks: {
    type: 'gauge',
    name: 'slipway_networks',
    help: 'Networks that exist.',
    labels: {
      state: networkStates.join(', '),
      chain: 'chain type, such as Ethereum',
    },
  },
  secrets: {
    type: 'gauge',
    name: 'slipway_secrets',
    help: 'Secrets that are stored.',
    labels: { key: 'ID of the master key that seals the secret; none when it is not sealed' },
  },
});

/** All metrics of the operator. */
export const operatorMetricTables = [
  controllerMetricTable,
  inventoryMetricTable,
  outboxMetricTable,
  relayMetricTable,
  warmMetricTable,
  storageMetricTable,
  engineMetricTable,
  kubeMetricTable,
  tracingMetricTable,
  heapMetricTable,
  ...featureMetricTables,
];

/** Metrics of one controller: its queue and its reconciles. */
export function createControllerMetrics(metrics: Metrics) {
  const instruments = metrics.instruments(controllerMetricTable);
  const { depth, queueDuration, retries, reconciles, reconcileDuration } = instruments;
  return (controller: string): QueueMetrics & ControllerMetrics => ({
    waited: (seconds) => queueDuration.observe({ controller }, seconds),
    depthIs: (value) => depth.set({ controller }, value),
    retried: () => retries.inc({ controller }),
    reconciled(outcome, seconds) {
      reconciles.inc({ controller, outcome });
      reconcileDuration.observe({ controller }, seconds);
    },
  });
}

/** Counts the stored secrets by master key. Call it before each scrape. */
export function createSecretCollector(metrics: Metrics, list: () => Iterable<SecretResource>): () => void {
  const { secrets } = metrics.instruments(inventoryMetricTable);
  return () => {
    secrets.reset();
    for (const { spec } of list()) secrets.inc({ key: masterKeyIdOf(spec.data) ?? 'none' });
  };
}

/** Counts the networks by state and chain type. Call it before each scrape. */
export function createNetworkCollector(metrics: Metrics, list: () => Iterable<NetworkResource>): () => void {
  const { networks } = metrics.instruments(inventoryMetricTable);
  return () => {
    networks.reset();
    for (const { spec, status } of list())
      networks.inc({ state: status?.state ?? 'Pending', chain: spec.chain.type });
  };
}
