import { masterKeyIdOf } from '../core/accounts/seal.ts';
import type { NetworkResource } from '../core/api/resources/network.ts';
import type { SecretResource } from '../core/api/resources/secret.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import type { ControllerMetrics } from './runtime/controller.ts';
import type { QueueMetrics } from './runtime/queue.ts';

/** Counts of one controller: its queue and its reconciles. */
export function createControllerMetrics(metrics: Metrics) {
  const depth = metrics.gauge('queue_depth', 'Keys that wait.', ['controller']);
  const latency = metrics.histogram('queue_latency_seconds', 'Time from a key being added to its work.', [
    'controller',
  ]);
  const retries = metrics.counter('queue_retries_total', 'Keys put back after a failure.', ['controller']);
  const reconciles = metrics.counter('reconciles_total', 'Reconciles by outcome.', ['controller', 'outcome']);
  const durations = metrics.histogram('reconcile_seconds', 'Durations of reconciles.', ['controller']);
  return (controller: string): QueueMetrics & ControllerMetrics => ({
    waited: (seconds) => latency.observe({ controller }, seconds),
    depthIs: (value) => depth.set({ controller }, value),
    retried: () => retries.inc({ controller }),
    reconciled(outcome, seconds) {
      reconciles.inc({ controller, outcome });
      durations.observe({ controller }, seconds);
    },
  });
}

/** A gauge of stored secrets by the master key that they are under (`none`: not sealed), counted at each scrape. */
export function gaugeSecrets(metrics: Metrics, list: () => Iterable<SecretResource>): () => void {
  const gauge = metrics.gauge('secrets', 'Secrets by the id of their master key.', ['key']);
  return () => {
    gauge.reset();
    for (const { spec } of list()) gauge.inc({ key: masterKeyIdOf(spec.data) ?? 'none' });
  };
}

/** A gauge of networks by state and chain type, counted again at each scrape. */
export function gaugeNetworks(metrics: Metrics, list: () => Iterable<NetworkResource>): () => void {
  const gauge = metrics.gauge('networks', 'Networks by state and chain type.', ['state', 'chain']);
  return () => {
    gauge.reset();
    for (const { spec, status } of list())
      gauge.inc({ state: status?.state ?? 'Pending', chain: spec.chain.type });
  };
}
