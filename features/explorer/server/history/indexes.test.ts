import { networkType } from '../../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../../core/api/testing/builders.ts';
import type { RpcCall } from '../../../../core/evm/rpc.ts';
import { createFakeKube } from '../../../../core/kube/testing/fake/fake.ts';
import { createIndexes } from './indexes.ts';

const limits = { network: 10, account: 4, all: 6 };
const kube = createFakeKube();
const networkIn = (namespace: string, name: string) => kube.seed(networkType, aNetwork({ name, namespace }));
const [a1, a2, a3] = ['a1', 'a2', 'a3'].map((name) => networkIn('ws-a', name));
const [b1, c1] = [networkIn('ws-b', 'b1'), networkIn('ws-c', 'c1')];

/** A chain of one block with so many transactions. */
const chainWith = (count: number) => ({
  async batch(calls: readonly RpcCall[]) {
    const transactions = Array.from({ length: count }, (_, index) => ({
      hash: `0x${index}`,
      from: '0x1',
      to: '0x2',
      value: '0x0',
      input: '0x',
    }));
    const receipts = transactions.map(({ hash }) => ({
      transactionHash: hash,
      status: '0x1',
      gasUsed: '0x1',
      logs: [],
    }));
    const block = { number: '0x0', hash: '0xb', parentHash: '0x', timestamp: '0x0', transactions };
    const answers: Record<string, unknown> = { eth_getBlockByNumber: block, eth_getBlockReceipts: receipts };
    return calls.map(({ method }) => ({ result: answers[method] ?? [] }));
  },
});

async function fill(indexes: ReturnType<typeof createIndexes>, network = a1, count = 2) {
  if (!network) throw new Error('no network');
  await indexes.of(network, 'e-1').read(chainWith(count), { isLate: () => false, isEnough: () => false });
  indexes.trim();
}
const sizeOf = (indexes: ReturnType<typeof createIndexes>, network = a1) =>
  network && indexes.of(network, 'e-1').size;

it('a network has one index, and another one for another chain', async () => {
  const indexes = createIndexes({ of: (namespace) => namespace }, limits);
  await fill(indexes);
  expect(sizeOf(indexes)).toBe(2);
  expect(a1 && indexes.of(a1, 'e-2').size).toBe(0);
});

it('of the networks of an account, those that were used longest ago are forgotten', async () => {
  const indexes = createIndexes({ of: (namespace) => namespace }, limits);
  for (const network of [a1, a2, a3]) await fill(indexes, network);
  expect([a1, a2, a3].map((network) => sizeOf(indexes, network))).toEqual([0, 2, 2]);
});

it('an account takes from others only what is more than they may all have', async () => {
  const indexes = createIndexes({ of: (namespace) => namespace }, limits);
  for (const network of [b1, a1, a2]) await fill(indexes, network);
  expect(sizeOf(indexes, b1)).toBe(2);
  for (const network of [a1, a2, c1]) await fill(indexes, network);
  expect([b1, a1, a2, c1].map((network) => sizeOf(indexes, network))).toEqual([0, 2, 2, 2]);
});

it('the network that is looked at is kept, however large it is', async () => {
  const indexes = createIndexes({ of: (namespace) => namespace }, limits);
  await fill(indexes, b1);
  await fill(indexes, a1, 9);
  expect(sizeOf(indexes, a1)).toBe(9);
});
