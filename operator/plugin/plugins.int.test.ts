import type { NetworkResource } from '../../core/api/resources/network.ts';
import { AppError } from '../../core/lib/errors.ts';
import { chainlink } from '../../core/plugins/chainlink/plugin.ts';
import { answerAsNode } from '../../core/plugins/chainlink/testing/fakeNode.ts';
import type { Plugin } from '../../core/plugins/plugin.ts';
import { testPlugin } from '../../core/plugins/testing/testPlugin.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { openPluginStage } from './testing/stage.ts';
import { describePluginInCluster } from './testing/suite.ts';

const cluster = createTestKube();
afterAll(() => cluster.close());

const job = JSON.stringify({ id: '1', address: `0x${'5e'.repeat(20)}` });

describe('the test plugin', () => {
  describePluginInCluster(cluster, {
    plugin: testPlugin,
    config: { type: 'mpc' },
    deaths: 'at each step',
    answer: () => ({ status: 200, headers: {}, body: job }),
  });
});

it('a service that is not ready is asked again at leisure, and each thing is reported once', async () => {
  const patient: Plugin<'vrf'> = {
    ...testPlugin,
    steps: (input) =>
      (testPlugin.steps?.(input) ?? []).map((step) =>
        step.kind === 'service' ? { ...step, read: (answer) => readJob(answer.status, answer.body) } : step,
      ),
  };
  let asked = 0;
  const answer = () => {
    asked += 1;
    return { status: asked < 4 ? 503 : 200, headers: {}, body: job };
  };
  const stage = await openPluginStage(cluster, { registry: { vrf: patient }, answer });
  const told: (string | undefined)[] = [];
  const stop = stage.watch(({ status }) => {
    const message = status?.plugins?.vrf?.message;
    if (message !== told.at(-1)) told.push(message);
  });
  const operator = stage.operate();
  const plugins = { vrf: { type: 'mpc' as const } };
  await stage.create({ chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, plugins } } });
  await stage.reach(({ status }) => status?.plugins?.vrf?.state === 'Ready');
  stop();
  await operator.stop();
  await stage.close();
  expect(asked).toBe(4);
  expect(told.filter((message) => message === 'taking its steps')).toHaveLength(1);
  expect(told.filter((message) => message?.includes('not there yet'))).toHaveLength(1);
});

function readJob(status: number, body: string): Record<string, string> {
  if (status === 503) throw new AppError('Unavailable', 'it is not there yet', { retryAfterSeconds: 1 });
  return JSON.parse(body);
}

describe('chainlink', () => {
  describePluginInCluster(cluster, {
    plugin: chainlink,
    config: {},
    deaths: 'at each step',
    answer: (_service, request) => answerAsNode(request),
  });
});

it('the loss of one pod is in the status: with the remedy if its data is lost that others need', async () => {
  const stage = await openPluginStage(cluster, {
    registry: { chainlink },
    answer: (_service, request) => answerAsNode(request),
  });
  const operator = stage.operate();
  const plugins = { chainlink: {} };
  await stage.create({ chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, plugins } } });
  const stateOf = ({ status }: NetworkResource) => status?.plugins?.chainlink?.state;
  await stage.reach((network) => stateOf(network) === 'Ready');
  await stage.setReady('chainlink-node', false);
  const silent = await stage.reach((network) => stateOf(network) === 'Pending');
  expect(silent.status?.plugins?.chainlink?.message).toMatch(/^chainlink-node: .* is not ready yet$/);
  await stage.setReady('chainlink-node', true);
  await stage.reach((network) => stateOf(network) === 'Ready');
  // As a pod that has run for a while.
  await stage.startedAt('chainlink-node', '2020-01-01T00:00:00Z');
  await stage.losePod('chainlink-db');
  const lost = await stage.reach((network) => stateOf(network) === 'Error');
  expect(lost.status?.state).toBe('Operational');
  expect(lost.status?.plugins?.chainlink?.message).toBe(
    'chainlink-db was lost with its data; the node runs on an empty database: request a Restart',
  );
  await stage.patch({ spec: { maintenanceRequest: { action: 'Restart', nonce: 3 } } });
  await stage.reach((network) => stateOf(network) === 'Ready');
  await operator.stop();
  await stage.close();
});
