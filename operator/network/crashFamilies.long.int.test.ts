import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Death } from '../../core/kube/testing/mortalKube.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { expectToSurvive, storiesOf } from './testing/crash.ts';

const cluster = createTestKube();
afterAll(() => cluster.close());

const privateKeyRef = { name: 'key' };
const participants = [{}];
type Chain = NetworkResource['spec']['chain'];

/** The families that crash.int.test.ts does not cover. */
const families: [family: string, chain: Chain][] = [
  [
    'an Ethereum network with participants',
    { type: 'Ethereum', ethereum: { privateKeyRef, chainID: '424242', participants } },
  ],
  ['a Thorchain network', { type: 'Thorchain', thorchain: { privateKeyRef, chainID: 'thor-test' } }],
  ['a Solana network', { type: 'Solana', solana: { privateKeyRef, chainID: 'solana-test' } }],
];

/**
 * Networks with several parts make many writes. Of three consecutive writes, one is tested with a crash before it, one
 * with a crash after it, and one not at all. The test with evm-dev covers every write.
 */
const moments: Death['when'][][] = [[], ['before'], ['after']];
const inTurn = (at: number): Death['when'][] => moments[at % 3] ?? [];

describe.each(families)('%s', (_family, chain) => {
  it.each(storiesOf({ chain }))(
    '%s: the result is the same wherever the operator crashes',
    async (...story) => {
      await expectToSurvive(cluster, story, inTurn);
    },
  );
});
