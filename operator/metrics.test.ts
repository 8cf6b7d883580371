import type { NetworkResource } from '../core/api/resources/network.ts';
import type { OutboxResource } from '../core/api/resources/outbox.ts';
import type { SecretResource } from '../core/api/resources/secret.ts';
import { createMetrics } from '../core/lib/metrics.ts';
import { packBatches } from '../core/outbox/batches.ts';
import {
  createControllerMetrics,
  createNetworkCollector,
  createSecretCollector,
  operatorMetricTables,
} from './metrics.ts';
import { createOutboxCollector, createOutboxMetrics } from './outbox/metrics.ts';

const head = { apiVersion: 'slipway.dev/v1alpha1', metadata: { name: 'any', namespace: 'any' } } as const;

async function linesOf(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  return (await metrics.scrape()).text.split('\n');
}

describe('metrics of the operator', () => {
  test('cover work queues and reconciles by controller', async () => {
    const metrics = createMetrics(operatorMetricTables);
    const controller = createControllerMetrics(metrics)('network');
    controller.depthIs(3);
    controller.waited(0.2);
    controller.retried();
    controller.reconciled('error', 2);
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'slipway_workqueue_depth{controller="network"} 3',
        'slipway_workqueue_queue_duration_seconds_bucket{le="0.25",controller="network"} 1',
        'slipway_workqueue_retries_total{controller="network"} 1',
        'slipway_reconciles_total{controller="network",outcome="error"} 1',
        'slipway_reconcile_duration_seconds_sum{controller="network"} 2',
      ]),
    );
  });

  test('count the networks at the time of the scrape', async () => {
    const metrics = createMetrics(operatorMetricTables);
    const spec: NetworkResource['spec'] = { chain: { type: 'Ethereum' } };
    const networks: NetworkResource[] = [
      { ...head, kind: 'Network', spec },
      { ...head, kind: 'Network', spec, status: { state: 'Stopped' } },
    ];
    const collect = createNetworkCollector(metrics, () => networks);
    collect();
    collect();
    const lines = await linesOf(metrics);
    expect(lines).toContain('slipway_networks{state="Pending",chain="Ethereum"} 1');
    expect(lines).toContain('slipway_networks{state="Stopped",chain="Ethereum"} 1');
    networks.pop();
    collect();
    expect((await linesOf(metrics)).join()).not.toContain('Stopped');
  });

  test('count secrets by the master key that seals them', async () => {
    const metrics = createMetrics(operatorMetricTables);
    const secret: SecretResource = { ...head, kind: 'Secret', spec: { type: 'note', data: 'bm90ZQ==' } };
    createSecretCollector(metrics, () => [secret, secret])();
    expect(await linesOf(metrics)).toContain('slipway_secrets{key="none"} 2');
  });

  test('count settled and open transactions, and report the age of the oldest open one', async () => {
    const metrics = createMetrics(operatorMetricTables);
    const outbox = createOutboxMetrics(metrics);
    outbox.settled({ state: 'dropped', reason: 'any' });
    outbox.resent(2);
    outbox.filled();
    const acceptedAt = '2026-01-01T00:00:00Z';
    const batches = packBatches([{ id: '0123456789abcdef', first: 0, count: 5, acceptedAt }]);
    const queue: OutboxResource = {
      ...head,
      kind: 'Outbox',
      spec: { role: 'queue', networkID: 'n', incarnation: 'i', signer: `0x${'11'.repeat(20)}`, batches },
    };
    createOutboxCollector(
      metrics,
      () => [queue],
      () => Date.parse(acceptedAt) + 30_000,
    )();
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining([
        'slipway_outbox_settled_transactions_total{state="dropped"} 1',
        'slipway_outbox_resent_transactions_total 2',
        'slipway_outbox_nonce_gap_transactions_total 1',
        'slipway_outbox_open_transactions 5',
        'slipway_outbox_oldest_open_transaction_age_seconds 30',
      ]),
    );
  });
});
