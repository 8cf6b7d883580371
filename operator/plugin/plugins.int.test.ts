import { jest } from '@jest/globals';
import { chainlink } from '../../core/plugins/chainlink/plugin.ts';
import { answerAsNode } from '../../core/plugins/chainlink/testing/fakeNode.ts';
import { testPlugin } from '../../core/plugins/testing/testPlugin.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { describePluginInCluster } from './testing/suite.ts';

jest.setTimeout(300_000);

const cluster = createTestKube();
afterAll(() => cluster.close());

const job = JSON.stringify({ id: '1', address: `0x${'5e'.repeat(20)}` });

describe('the test plugin', () => {
  describePluginInCluster(cluster, {
    plugin: testPlugin,
    config: { type: 'mpc' },
    answer: () => ({ status: 200, headers: {}, body: job }),
  });
});

describe('chainlink', () => {
  describePluginInCluster(cluster, {
    plugin: chainlink,
    config: {},
    answer: (_service, request) => answerAsNode(request),
  });
});
