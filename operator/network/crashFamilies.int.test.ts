import { jest } from '@jest/globals';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { expectToSurvive, storiesOf } from './testing/crash.ts';
import type { Death } from './testing/mortalKube.ts';

jest.setTimeout(600_000);

const cluster = createTestKube();
afterAll(() => cluster.close());

const privateKeyRef = { name: 'key' };
const participants = [{}];
type Chain = NetworkResource['spec']['chain'];

/** The families beyond the one of crash.int.test.ts. */
const families: [family: string, chain: Chain][] = [
  [
    'an Ethereum network with participants',
    { type: 'Ethereum', ethereum: { privateKeyRef, chainID: '424242', participants } },
  ],
  ['a Thorchain network', { type: 'Thorchain', thorchain: { privateKeyRef, chainID: 'thor-test' } }],
  ['a Solana network', { type: 'Solana', solana: { privateKeyRef, chainID: 'solana-test' } }],
];

/**
 * Of three writes in a row one is not sent, one is answered, and one is left to evm-dev, with which every moment is tried:
 * several parts make many writes.
 */
const moments: Death['when'][][] = [[], ['before'], ['after']];
const inTurn = (at: number): Death['when'][] => moments[at % 3] ?? [];

describe.each(families)('%s', (_family, chain) => {
  it.each(storiesOf({ chain }))(
    '%s: whenever the operator dies, it ends as if it had not',
    async (...story) => {
      await expectToSurvive(cluster, story, inTurn);
    },
  );
});
