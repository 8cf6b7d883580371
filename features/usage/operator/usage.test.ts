import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { usageRecordType } from '../../../core/api/resources/resources.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { silentLog } from '../../../core/lib/log.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { createMetrics } from '../../../core/lib/metrics.ts';
import { createTraffic } from '../../../core/networks/traffic.ts';
import { createWorkspaceLabel } from '../../../core/storage/metrics.ts';
import type { ResourceQuota } from '../../../operator/workspace/kinds.ts';
import { createUsageLedger } from '../core/ledger.ts';
import { networkUsageMetricTable } from '../core/metrics.ts';
import { feature } from './feature.ts';
import { createUsageMeter } from './meter.ts';
import { createQuotaCollector } from './quotaCollector.ts';

const defaultWorkspace = { id: 'default', namespace: 'slipway-default' };
const network = (namespace: string, state: string) =>
  ({ metadata: { name: 'net', namespace }, status: { state } }) as NetworkResource;

const setUp = () => {
  const kube = createFakeKube();
  const clock = createManualClock(Date.parse('2031-01-31T12:00:00Z'));
  const metrics = createMetrics([networkUsageMetricTable]);
  const running: NetworkResource[] = [];
  const ledger = createUsageLedger({ kube, clock, log: silentLog });
  const meter = createUsageMeter({
    ledger,
    clock,
    metrics,
    defaultWorkspace,
    label: createWorkspaceLabel(1),
    networks: { list: () => running },
  });
  const secondsOf = async (namespace: string) =>
    (await kube.get(usageRecordType, { namespace, name: 'usage' }))?.spec.days[0]?.networkSeconds;
  return { kube, clock, metrics, running, meter, secondsOf };
};

test('networks that are Operational are counted by the minute, the others are not', async () => {
  const { clock, metrics, running, meter, secondsOf } = setUp();
  running.push(network('slipway-default', 'Operational'), network('slipway-default', 'Operational'));
  running.push(network('slipway-w1', 'Operational'), network('slipway-w2', 'Stopped'));
  const stopping = new AbortController();
  const ended = meter.run(stopping.signal);
  clock.advance(60_000);
  while ((await secondsOf('slipway-w1')) === undefined) await new Promise(setImmediate);
  stopping.abort();
  await ended;
  expect(await Promise.all(['slipway-default', 'slipway-w1', 'slipway-w2'].map(secondsOf))).toEqual([
    120,
    60,
    undefined,
  ]);
  const { text } = await metrics.scrape();
  expect(text).toContain('slipway_workspace_network_seconds_total{workspace="default"} 120');
  expect(text).toContain('slipway_workspace_network_seconds_total{workspace="other"} 60');
});

test('the fullest resource of a quota decides how full it is', async () => {
  const { metrics } = setUp();
  const quota = {
    metadata: { name: 'slipway-budget', labels: { [labels.workspaceNamespace]: 'w1' } },
    spec: { hard: { pods: 10, 'count/networks.slipway.dev': '1k', 'requests.memory': '2Gi' } },
    status: { used: { pods: '2', 'count/networks.slipway.dev': '900', 'requests.memory': '512Mi' } },
  } as unknown as ResourceQuota;
  createQuotaCollector(metrics, createWorkspaceLabel(5), () => [quota])();
  expect((await metrics.scrape()).text).toContain('slipway_workspace_quota_used_ratio{workspace="w1"} 0.9');
});

test('transactions that the operator sends for replays count as those of submissions', async () => {
  const kube = createFakeKube();
  const clock = createManualClock(Date.parse('2031-01-31T12:00:00Z'));
  const metrics = createMetrics([...(feature.metrics ?? [])]);
  const traffic = createTraffic();
  const surroundings = {
    kube,
    clock,
    metrics,
    traffic,
    log: silentLog,
    networks: { networks: { list: () => [] } },
    installation: { defaultWorkspace },
    workspaceLabel: createWorkspaceLabel(1),
  };
  const startAll = feature.open({} as never).connect(surroundings as never);
  const stopping = new AbortController();
  const ended = startAll({ workers: 1 }).map((controller) => controller.run(stopping.signal));
  traffic.transactions('slipway-default', 3);
  clock.advance(60_000);
  const stored = () => kube.get(usageRecordType, { namespace: 'slipway-default', name: 'usage' });
  while ((await stored()) === undefined) await new Promise(setImmediate);
  stopping.abort();
  await Promise.all(ended);
  expect((await stored())?.spec.days[0]?.transactions).toBe(3);
  const { text } = await metrics.scrape();
  expect(text).toContain('slipway_workspace_transactions_total{workspace="default"} 3');
});
