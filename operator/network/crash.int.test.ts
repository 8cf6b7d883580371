import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import {
  expectToSurvive,
  hasObserved,
  isIn,
  maintained,
  maintenanceNonce,
  running,
  type Story,
  storiesOf,
} from './testing/crash.ts';

const cluster = createTestKube();
afterAll(() => cluster.close());

const spec = (more: object = {}): NetworkResource['spec'] => ({
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '424242', ...more } },
});

const thorchain = (image: string): NetworkResource['spec'] => ({
  chain: { type: 'Thorchain', thorchain: { chainID: 'thor-test', image } },
});

const stories: Story[] = [
  ...storiesOf(spec()),
  maintained('Resync', spec({ forking: { enabled: true } })),
  [
    'a chain is changed',
    running(spec()),
    ({ patch }) => patch({ spec: { chain: { ethereum: { chainID: '424243' } } } }),
    isIn('Operational'),
  ],
  [
    'a network is reverted to a snapshot',
    async (hands) => {
      await running(spec())(hands);
      await hands.snapshot('before', {
        state: 'Ready',
        chainType: 'Ethereum',
        chainID: '424242',
        block: 5,
        bytes: 9,
        digest: 'd1',
        parts: 2,
      });
    },
    ({ patch }) =>
      patch({
        spec: {
          from: { snapshot: 'before' },
          maintenanceRequest: { action: 'ResetState', nonce: maintenanceNonce },
        },
      }),
    hasObserved,
  ],
  [
    'the engine takes over a block time',
    running(spec()),
    ({ patch }) => patch({ spec: { chain: { ethereum: { blockTime: 3 } } } }),
    isIn('Operational'),
  ],
  [
    'new pods take over an image on their volumes',
    running({ ...thorchain('thornode:1'), persistent: true }),
    ({ patch }) => patch({ spec: thorchain('thornode:2') }),
    isIn('Operational'),
  ],
];

it.each(stories)('%s: the result is the same wherever the operator crashes', async (...story) => {
  await expectToSurvive(cluster, story);
});
