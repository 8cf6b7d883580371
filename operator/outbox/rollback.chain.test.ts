import { networkType } from '../../core/api/resources/resources.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import {
  accept,
  addUser,
  archived,
  clock,
  countOf,
  deps,
  headOf,
  isEmpty,
  kube,
  lookUntil,
  network,
  rpcOf,
  scene,
  startOperator,
  transfer,
  useQueueScene,
} from './testing/queueScene.ts';

useQueueScene();
beforeEach(addUser);

const to = (value: number) => transfer({ value: String(value) });

test('nonces that are missing after a rollback are all filled at once', async () => {
  const rpc = rpcOf(network);
  const snapshot = await rpc.call('evm_snapshot', []);
  await accept(Array.from({ length: 30 }, (_, index) => to(index)));
  await lookUntil(isEmpty);
  // Nothing is open, so the submission would follow the chain: one that was counted before does not.
  const counted = await countOf();
  await accept([to(99)], network);
  expect(counted).toBe(30);
  await rpc.call('evm_revert', [snapshot]);
  const beganMs = clock.nowMs();
  await lookUntil(isEmpty);
  expect(await countOf()).toBe(31);
  expect(clock.nowMs() - beganMs).toBeLessThan(60_000);
});

describe('a batch that was partly mined before the chain was rolled back', () => {
  /** The third transaction has more gas than is left in a block with the others, and the chain mines on demand. */
  async function minePartly(): Promise<{ hashes: string[]; revert(): Promise<void> }> {
    const rpc = rpcOf(network);
    await rpc.call('evm_setAutomine', [false]);
    const snapshot = await rpc.call('evm_snapshot', []);
    const hashes = await accept([
      to(1),
      ...[to(2), to(3)].map((large) => ({ ...large, gasLimit: '16000000' })),
    ]);
    await lookUntil(({ status }) => status?.sent !== undefined && status.sent >= 2);
    await rpc.call('evm_mine', []);
    await lookUntil(({ status }) => status?.partly !== undefined);
    expect(await countOf()).toBe(2);
    const revert = async () => {
      await rpc.call('evm_revert', [snapshot]);
      await rpc.call('evm_setAutomine', [true]);
    };
    return { hashes, revert };
  }

  async function reportState(state: 'Pending' | 'Operational'): Promise<void> {
    await kube.patch(networkType, network.resource.metadata, { status: { state } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.state === state, { timeoutMs: 5000 });
  }

  test.each<[string, () => Promise<void>]>([
    ['the same operator', async () => undefined],
    ['an operator that starts afterwards', startOperator],
  ])('is not mined again by %s: what the rollback removed is dropped', async (_reason, restart) => {
    const { hashes, revert } = await minePartly();
    await revert();
    await restart();
    await lookUntil(isEmpty);
    const results = await archived();
    expect(hashes.map((hash) => results[hash]?.state)).toEqual(['dropped', 'dropped', 'mined']);
    expect(results[hashes[0]!]).toMatchObject({ reason: expect.stringContaining('rolled back') });
    expect(batchesOf(await headOf())).toEqual([]);
    expect(await countOf()).toBe(3);
    expect(BigInt(String(await rpcOf(network).call('eth_getBalance', [transfer().to, 'latest'])))).toBe(3n);
  });

  test('is not mined again when the nonce of its account is set back', async () => {
    const rpc = rpcOf(network);
    const { hashes } = await minePartly();
    await rpc.call('anvil_setNonce', [scene.wallet.address, '0x0']);
    await rpc.call('evm_setAutomine', [true]);
    await lookUntil(isEmpty);
    const results = await archived();
    expect(hashes.map((hash) => results[hash]?.state)).toEqual(['mined', 'mined', 'mined']);
    expect(BigInt(String(await rpc.call('eth_getBalance', [transfer().to, 'latest'])))).toBe(6n);
  });

  test('is not taken for rolled back while its node starts again and lacks blocks', async () => {
    const rpc = rpcOf(network);
    const { hashes, revert } = await minePartly();
    const raws = await Promise.all(
      hashes.slice(0, 2).map((hash) => rpc.call('eth_getRawTransactionByHash', [hash])),
    );
    await reportState('Pending');
    await revert();
    for (let look = 0; look < 5; look++) await lookUntil(() => true);
    for (const raw of raws) await rpc.call('eth_sendRawTransaction', [raw]);
    await reportState('Operational');
    await lookUntil(isEmpty);
    const results = await archived();
    expect(hashes.map((hash) => results[hash]?.state)).toEqual(['mined', 'mined', 'mined']);
  });
});

test.each([4, 5, 6])(
  'what was mined is not mined again when its nonce is set back after %i reconciles',
  async (count) => {
    const rpc = rpcOf(network);
    const hashes = [...(await accept([to(1)])), ...(await accept([to(10)]))];
    let looks = 0;
    await lookUntil(() => ++looks === count);
    while ((await countOf()) < 2);
    await rpc.call('anvil_setNonce', [scene.wallet.address, '0x0']);
    const [last = ''] = await accept([to(100)]);
    await lookUntil(isEmpty);
    const results = await archived();
    expect([...hashes, last].map((hash) => results[hash]?.state)).toEqual(['mined', 'mined', 'mined']);
    expect(BigInt(String(await rpc.call('eth_getBalance', [transfer().to, 'latest'])))).toBe(111n);
  },
);
