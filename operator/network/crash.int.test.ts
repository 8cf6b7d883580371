import { jest } from '@jest/globals';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { expectToSurvive, isIn, maintained, running, type Story, storiesOf } from './testing/crash.ts';

jest.setTimeout(300_000);

const cluster = createTestKube();
afterAll(() => cluster.close());

const spec = (more: object = {}): NetworkResource['spec'] => ({
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '424242', ...more } },
});

const stories: Story[] = [
  ...storiesOf(spec()),
  maintained('Resync', spec({ forking: { enabled: true } })),
  [
    'a chain is changed',
    running(spec()),
    ({ patch }) => patch({ spec: { chain: { ethereum: { blockTime: 3 } } } }),
    isIn('Operational'),
  ],
];

it.each(stories)('%s: the result is the same wherever the operator crashes', async (...story) => {
  await expectToSurvive(cluster, story);
});
