import { parseEther, Wallet } from 'ethers';
import type { TransactionItem } from '../../core/api/rest/transaction.ts';
import { evmDrivers } from '../../core/chains/evm/drivers.ts';
import { startTestChain, type TestChain } from '../../core/chains/evm/testing/testChain.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { compact } from '../../core/lib/compact.ts';
import type { ReplayTarget } from '../../operator/replay/target.ts';
import { replayAll } from '../../operator/replay/testing/replayAll.ts';
import { readRecorded } from './testing/recorded.ts';

/** Replays of networks whose transactions mention contracts of each other. */

const caller = new Wallet(`0x${'c4'.repeat(32)}`);
const stranger = `0x${'7e'.repeat(20)}`;
/** Returns one byte, STOP: a contract that accepts any call. */
const creation = '0x600060005360016000f3';
const chains: TestChain[] = [];
afterAll(() => Promise.all(chains.map((chain) => chain.stop())));

async function start(): Promise<TestChain> {
  const chain = await startTestChain({ type: 'Ethereum', driver: evmDrivers.Ethereum });
  chains.push(chain);
  await chain.provider.send('anvil_setBalance', [caller.address, `0x${parseEther('100').toString(16)}`]);
  return chain;
}

const record = ({ url, wallet }: TestChain) => readRecorded({ url, address: wallet.address });
const create = async (chain: TestChain) => (await chain.send({ data: creation })).contractAddress ?? '';
const pay = (chain: TestChain) => chain.send({ to: stranger, value: 1n });
/** A call with an address in a word, as of `setPeer(uint32,bytes32)`. */
const peerCall = (address: string) => `0x3400288b${address.slice(2).toLowerCase().padStart(64, '0')}`;

function targetOf(chain: TestChain): ReplayTarget & { items: TransactionItem[] } {
  const signer = caller.connect(chain.provider);
  const items: TransactionItem[] = [];
  return {
    rpc: createEvmRpc({ url: chain.url }),
    chainId: chain.chainId,
    caller: caller.address,
    incarnation: 'first',
    items,
    findAccepted: async () => undefined,
    async send(batch) {
      items.push(...batch);
      let nonce = await signer.getNonce('pending');
      const firstNonce = nonce;
      const hashes: string[] = [];
      for (const { to, value, data, gas_limit: gasLimit = 0 } of batch) {
        const request = { ...compact({ to: to ?? undefined }), value, data, gasLimit, nonce: nonce++ };
        hashes.push((await signer.sendTransaction(request)).hash);
      }
      return { hashes, firstNonce, taken: Promise.resolve() };
    },
  };
}

/** Two networks and their targets, on the second of which the caller has sent something before. */
async function startPair() {
  const [left, right] = [await start(), await start()];
  const [toLeft, toRight] = [await start(), await start()];
  await caller.connect(toRight.provider).sendTransaction({ to: stranger, value: 1n });
  return { left, right, toLeft: targetOf(toLeft), toRight: targetOf(toRight) };
}

const lower = (address: string | undefined) => address?.toLowerCase() ?? '';

it('a contract of another network of the recording gets its new address in a word of call data', async () => {
  const { left, right, toLeft, toRight } = await startPair();
  const own = await create(left);
  for (let i = 0; i < 3; i++) await pay(right);
  const peer = await create(right);
  await left.send({ to: own, data: peerCall(peer) });
  const [onLeft = [], onRight = []] = await replayAll([
    { transactions: await record(left), target: toLeft },
    { transactions: await record(right), target: toRight },
  ]);
  expect([...onLeft, ...onRight].filter(({ match }) => !match)).toEqual([]);
  const replayed = lower(onRight.at(-1)?.contract_address);
  expect(replayed).not.toBe(lower(peer));
  expect(toLeft.items.at(-1)).toMatchObject({
    to: lower(onLeft[0]?.contract_address),
    data: peerCall(replayed),
  });
});

it("a network's own contract counts where another network has one at the same address", async () => {
  const { left, right, toLeft, toRight } = await startPair();
  const [own, same] = [await create(left), await create(right)];
  expect(own).toBe(same);
  for (const chain of [left, right]) await chain.send({ to: own, data: peerCall(own) });
  const [onLeft = [], onRight = []] = await replayAll([
    { transactions: await record(left), target: toLeft },
    { transactions: await record(right), target: toRight },
  ]);
  expect([...onLeft, ...onRight].filter(({ match }) => !match)).toEqual([]);
  expect(onLeft[0]?.contract_address).not.toBe(onRight[0]?.contract_address);
  expect(toLeft.items[1]?.data).toBe(peerCall(lower(onLeft[0]?.contract_address)));
  expect(toRight.items[1]?.data).toBe(peerCall(lower(onRight[0]?.contract_address)));
});

it('a call does not match if the contract that it mentions was not created on its network', async () => {
  const { left, right, toLeft, toRight } = await startPair();
  const own = await create(left);
  await pay(right);
  const peer = await create(right);
  await left.send({ to: own, data: peerCall(peer) });
  const broken = { ...toRight, send: () => Promise.reject(new Error('no funds')) };
  const [onLeft = [], onRight = []] = await replayAll([
    { transactions: await record(left), target: toLeft },
    { transactions: await record(right), target: broken },
  ]);
  expect(onRight.map(({ status }) => status)).toEqual(['skipped', 'skipped']);
  expect(onLeft.map(({ match }) => match)).toEqual([true, false]);
  expect(onLeft[1]?.differences).toEqual([
    `address ${lower(peer)}: its contract was not created in the replay`,
  ]);
});

it('networks that wait for each other in a circle finish, and claim no match that nobody could check', async () => {
  const { left, right, toLeft, toRight } = await startPair();
  await pay(right);
  const [first, second] = [await record(left), await record(right)];
  const addresses = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
  const [sample] = second;
  if (!sample) throw new Error('nothing was recorded');
  const call = (mentioned: string | undefined) => ({
    ...sample,
    data: peerCall(mentioned ?? ''),
    gas_limit: 100_000,
  });
  const made = (address: string | undefined) => {
    const { to: _, ...rest } = sample;
    return { ...rest, data: creation, gas_limit: 100_000, contract_address: address ?? '' };
  };
  const [onLeft = [], onRight = []] = await replayAll([
    { transactions: [...first, call(addresses[1]), made(addresses[0])], target: toLeft },
    { transactions: [call(addresses[0]), made(addresses[1])], target: toRight },
  ]);
  expect([onLeft.length, onRight.length]).toEqual([2, 2]);
  expect([...onLeft, ...onRight].some(({ match }) => !match)).toBe(true);
  expect([onLeft[1]?.contract_address, onRight[1]?.contract_address]).not.toContain(undefined);
});
