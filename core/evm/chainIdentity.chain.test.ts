import { evmDrivers } from '../chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../chains/evm/testing/testChain.ts';
import { type ChainIdentity, isSameChain, mayBeSameChain, readIdentity } from './chainIdentity.ts';
import { createEvmRpc } from './rpc.ts';

const { Ethereum: driver } = evmDrivers;
const chains: TestChain[] = [];
afterAll(() => Promise.all(chains.map((chain) => chain.stop())));

async function start(fork?: { url: string; blockHeight: string }): Promise<TestChain> {
  const chain = await startTestChain({ type: 'Ethereum', driver, ...(fork ? { fork } : {}) });
  chains.push(chain);
  return chain;
}
const identityOf = ({ url }: TestChain) => readIdentity(createEvmRpc({ url }));
const mine = ({ url }: TestChain) => createEvmRpc({ url }).call('evm_mine', []);

test('two forks of the same block are different chains, with and without blocks of their own', async () => {
  const source = await start();
  await mine(source);
  const fork = { url: source.url, blockHeight: '1' };
  const [one, other] = await Promise.all([start(fork), start(fork)]);
  const before = await identityOf(one);
  expect(isSameChain(before, await identityOf(other))).toBe(false);
  expect(isSameChain(before, await identityOf(one))).toBe(true);
  await Promise.all([mine(one), mine(other)]);
  const after = await identityOf(one);
  expect(isSameChain(before, after)).toBe(true);
  expect(isSameChain(after, await identityOf(other))).toBe(false);
  expect(isSameChain(await identityOf(source), after)).toBe(false);
});

const table: [string, ChainIdentity | undefined, ChainIdentity, boolean, boolean][] = [
  ['the same block 0', '0xa', '0xa', true, true],
  ['another block 0', '0xa', '0xb', false, false],
  ['nothing stored', undefined, '0xa', false, false],
  ['a fork that was restarted on its data', '0xa/0x1/0xp', '0xa/0x1/0xq', false, true],
  ['a fork that was rolled back and has other blocks', '0xa/0x1/0xp', '0xa/0x2/0xp', true, true],
  ['another fork', '0xa/0x1/0xp', '0xa/0x2/0xq', false, false],
  ['another fork, neither with own blocks', '0xa//0xp', '0xa//0xq', false, false],
  ['a fork of another chain', '0xa/0x1/0xp', '0xb/0x1/0xq', false, false],
  ['a fork and its source', '0xa', '0xa/0x1/0xp', false, false],
];

test.each(table)('%s', (_reason, stored, present, isSame, mayBe) => {
  expect([isSameChain(stored, present), mayBeSameChain(stored, present)]).toEqual([isSame, mayBe]);
});
