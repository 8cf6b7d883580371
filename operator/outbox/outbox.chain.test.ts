import { Transaction } from 'ethers';
import { networkType, outboxType } from '../../core/api/resources/resources.ts';
import type { RpcCall } from '../../core/evm/rpc.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { unpackRaw } from '../../core/outbox/packedTransactions.ts';
import { signTransactions } from '../../core/signing/signing.ts';
import {
  accept,
  addUser,
  archived,
  beginAgain,
  clock,
  countOf,
  deps,
  headOf,
  isEmpty,
  key,
  kube,
  lookAtNetwork,
  lookUntil,
  network,
  rpcOf,
  settled,
  startOperator,
  transfer,
  useQueueScene,
} from './testing/queueScene.ts';

useQueueScene();

test('a transaction that was accepted but never sent is sent, mined once, and archived with its result', async () => {
  const hashes = await accept([
    transfer(),
    transfer({
      to: undefined as never,
      data: '0x600a600c600039600a6000f3602a60005260206000f3',
      gasLimit: '100000',
    }),
  ]);
  const head = await lookUntil(isEmpty);
  expect(await archived()).toEqual({
    [hashes[0]!]: { state: 'mined', block: expect.any(Number), gasUsed: 21_000 },
    [hashes[1]!]: {
      state: 'mined',
      block: expect.any(Number),
      gasUsed: expect.any(Number),
      contract: expect.any(String),
    },
  });
  expect(await countOf()).toBe(2);
  expect(head.spec).toMatchObject({ next: 2, archived: 1 });
  expect(settled).toHaveLength(2);
});

test('a transaction that was already sent is not sent again, even by an operator that starts in between', async () => {
  const hashes = await accept([transfer(), transfer()]);
  const [batch] = batchesOf(await headOf());
  for (const raw of (batch?.raw ?? '').split(',')) {
    await rpcOf(network).call('eth_sendRawTransaction', [unpackRaw(raw)]);
  }
  await startOperator();
  await lookUntil(isEmpty);
  expect(Object.keys(await archived()).sort()).toEqual([...hashes].sort());
  expect(await countOf()).toBe(2);
});

test('a batch of 300 that was partly sent is completed in order', async () => {
  const hashes = await accept(Array.from({ length: 300 }, (_, index) => transfer({ value: String(index) })));
  const parts = async () =>
    (await kube.list(outboxType, {})).items.filter(({ spec }) => spec.role === 'bytes').length;
  expect(await parts()).toBe(1);
  await lookUntil(isEmpty);
  const results = await archived();
  expect(hashes.map((hash) => results[hash]?.state)).toEqual(hashes.map(() => 'mined'));
  const blocks = hashes.map((hash) => (results[hash] as { block: number }).block);
  expect(blocks).toEqual([...blocks].sort((a, b) => a - b));
  expect(await parts()).toBe(0);
});

test('a transaction that fails is reported with its reason', async () => {
  const revert = `08c379a0${'0'.repeat(62)}20${'0'.repeat(62)}02${Buffer.from('no').toString('hex').padEnd(64, '0')}`;
  // Creation code that reverts with Error("no").
  const code = `0x6064600c60003960646000fd${revert}`;
  const hashes = await accept([
    { ...transfer({ data: code, gasLimit: '200000', value: '0' }), to: undefined as never },
  ]);
  await lookUntil(isEmpty);
  expect((await archived())[hashes[0]!]).toMatchObject({ state: 'failed', reason: 'reverted: no' });
});

test('when a nonce is used from outside, its transaction is dropped and later ones are mined', async () => {
  const hashes = await accept([transfer(), transfer({ value: '2' })]);
  const [foreign] = signTransactions(key, [{ ...transfer({ value: '99' }), nonce: 0 }]);
  await rpcOf(network).call('eth_sendRawTransaction', [foreign!.raw]);
  await lookUntil(isEmpty);
  expect(await archived()).toMatchObject({
    [hashes[0]!]: { state: 'dropped', reason: expect.stringContaining('nonce 0') },
    [hashes[1]!]: { state: 'mined' },
  });
  expect(await countOf()).toBe(2);
});

test('a problem that passed by itself is reported no longer, although something is still open', async () => {
  const rpc = rpcOf(network);
  await rpc.call('evm_setAutomine', [false]);
  const [foreign] = signTransactions(key, [{ ...transfer({ value: '99' }), nonce: 0 }]);
  await rpc.call('eth_sendRawTransaction', [foreign!.raw]);
  await accept([transfer()]);
  await rpc.call('anvil_dropTransaction', [foreign!.hash]);
  await lookUntil(({ status }) => status?.message === 'nonce 0: no transaction used nonce 0');
  await rpc.call('eth_sendRawTransaction', [foreign!.raw]);
  await rpc.call('evm_mine', []);
  await lookUntil(({ status }) => status?.message === undefined);
  expect(batchesOf(await headOf())).toHaveLength(1);
});

test('a transaction that the node keeps refusing gives up its nonce, so that later ones are mined', async () => {
  await addUser();
  const hashes = await accept([transfer({ value: `${10n ** 30n}` }), transfer()]);
  let message = '';
  const head = await lookUntil((present) => {
    message ||= present.status?.message ?? '';
    return isEmpty(present) && present.spec.gapTransactions?.length === 0;
  });
  expect(message).toMatch(/nonce 0: .*funds/i);
  expect(await archived()).toMatchObject({
    [hashes[0]!]: { state: 'dropped', reason: expect.stringMatching(/refused.*funds/i) },
    [hashes[1]!]: { state: 'mined' },
  });
  expect(await countOf()).toBe(2);
  expect(head.spec.next).toBe(2);
});

/** Like reth: a transaction below the base fee is not counted as pending, and anvil's methods are unknown. */
async function countAsReth(): Promise<void> {
  const { rpcOf: asAnvil } = deps;
  deps.rpcOf = (uid) => {
    const rpc = asAnvil(uid);
    const asked = (call: RpcCall): RpcCall => {
      if (call.method.startsWith('anvil_')) return { ...call, method: 'unknown' };
      return call.method === 'eth_getTransactionCount'
        ? { ...call, params: [call.params[0], 'latest'] }
        : call;
    };
    return (
      rpc && {
        batch: (calls, options) => rpc.batch(calls.map(asked), options),
        call: (method, params, options) =>
          method.startsWith('anvil_')
            ? Promise.reject(new Error('unknown'))
            : rpc.call(method, params, options),
      }
    );
  };
  const instance = { pod: 'p-1', restarts: 0, process: null };
  await kube.patch(networkType, network.resource.metadata, { status: { instance } }, 'status');
  await deps.caches.networks.waitFor(({ status }) => status?.instance?.pod === 'p-1', { timeoutMs: 60_000 });
}

test.each<[string, () => Promise<void>]>([
  ['counts', async () => undefined],
  ['does not count', countAsReth],
])(
  'a transaction that stays below the base fee gives up its nonce, on a node that %s it',
  async (_reason, count) => {
    await addUser();
    const rpc = rpcOf(network);
    await rpc.call('evm_setAutomine', [false]);
    const generous = { maxFeePerGas: '100000000000', maxPriorityFeePerGas: '1' };
    const hashes = await accept([transfer(), transfer({ fees: generous })]);
    await lookUntil(({ status }) => status?.sent === 2);
    await count();
    await rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
    let message = '';
    await lookUntil(({ status, spec }) => {
      message = status?.message ?? message;
      return spec.gapTransactions?.length === 1;
    });
    expect(message).toMatch(/nonce 0: .*base fee.*10000000000/);
    await rpc.call('evm_setAutomine', [true]);
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({
      [hashes[0]!]: { state: 'dropped', reason: expect.stringContaining('base fee') },
      [hashes[1]!]: { state: 'mined' },
    });
  },
);

test('a base fee that stays above what was offered, on a chain without other blocks, is lowered by empty blocks', async () => {
  const rpc = rpcOf(network);
  const hashes = await accept([transfer(), transfer()]);
  await rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
  await lookUntil(isEmpty);
  expect(await archived()).toMatchObject({
    [hashes[0]!]: { state: 'mined' },
    [hashes[1]!]: { state: 'mined' },
  });
});

test('a base fee that falls again drops nothing', async () => {
  const rpc = rpcOf(network);
  await rpc.call('evm_setAutomine', [false]);
  const hashes = await accept([transfer()]);
  await lookUntil(({ status }) => status?.sent === 1);
  await rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
  await lookUntil(({ status }) => status?.message?.includes('base fee') === true);
  await rpc.call('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
  await lookUntil(({ status }) => status?.message === undefined);
  clock.advance(120_000);
  const head = await lookUntil(() => true);
  expect(head.spec.gapTransactions ?? []).toEqual([]);
  await rpc.call('evm_mine', []);
  await lookUntil(isEmpty);
  expect(await archived()).toMatchObject({ [hashes[0]!]: { state: 'mined' } });
});

test('a missing nonce, after the chain was rolled back by hand, is used up', async () => {
  await addUser();
  const rpc = rpcOf(network);
  const snapshot = await rpc.call('evm_snapshot', []);
  await accept([transfer()]);
  await lookUntil(isEmpty);
  await accept([transfer()]);
  await rpc.call('evm_revert', [snapshot]);
  await lookUntil(isEmpty);
  expect(await countOf()).toBe(2);
});

describe('a chain that started again with the same chain id', () => {
  test('drops what was accepted before, and never sends it', async () => {
    const hashes = await accept([transfer(), transfer()]);
    const former = await beginAgain();
    await deps.caches.networks.waitFor(
      ({ status }) => status?.enclaveID === network.resource.status?.enclaveID,
      {
        timeoutMs: 5000,
      },
    );
    await lookUntil(isEmpty, former);
    expect(Object.values(await archived())).toEqual(
      hashes.map(() => ({ state: 'dropped', reason: expect.stringContaining('never sent again') })),
    );
    expect(await countOf()).toBe(0);
  });

  test('sends nothing until the network reports the new chain', async () => {
    await accept([transfer()]);
    const { resource } = network;
    await beginAgain();
    const { enclaveID, instance } = resource.status ?? {};
    const status = { enclaveID, instance };
    const patched = await kube.patch(networkType, resource.metadata, { status }, 'status');
    const { resourceVersion } = patched.metadata;
    await deps.caches.networks.waitFor(({ metadata }) => metadata.resourceVersion === resourceVersion, {
      timeoutMs: 5000,
    });
    lookAtNetwork({ ...network, resource });
    const head = await lookUntil(({ status }) => status?.message !== undefined);
    expect(head.status?.message).toContain('not available');
    clock.advance(120_000);
    await lookUntil(() => true);
    expect(await countOf()).toBe(0);
    expect(batchesOf(head)).toHaveLength(1);
  });

  test('but reports a transaction as mined when the new incarnation kept the data', async () => {
    const hashes = await accept([transfer()]);
    const [batch] = batchesOf(await headOf());
    const raw = unpackRaw(batch?.raw ?? '');
    expect(Transaction.from(raw).hash).toBe(hashes[0]);
    await rpcOf(network).call('eth_sendRawTransaction', [raw]);
    await kube.patch(networkType, network.resource.metadata, { status: { enclaveID: 'life-2' } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.enclaveID === 'life-2', { timeoutMs: 5000 });
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hashes[0]!]: { state: 'mined' } });
  });

  test('and waits for what an API server may just be sending to a chain that kept the data', async () => {
    const [hash = ''] = await accept([transfer()]);
    const [batch] = batchesOf(await headOf());
    await kube.patch(networkType, network.resource.metadata, { status: { enclaveID: 'life-2' } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.enclaveID === 'life-2', { timeoutMs: 5000 });
    await lookUntil(() => true);
    await rpcOf(network).call('eth_sendRawTransaction', [unpackRaw(batch?.raw ?? '')]);
    await lookUntil(isEmpty);
    expect(await archived()).toMatchObject({ [hash]: { state: 'mined' } });
  });

  test('and waits for what another node of its network still has', async () => {
    await accept([transfer()]);
    const endpoints = { rpc: 'rpc', 'el-1': 'el-1', 'el-2': 'el-2' };
    const status = { enclaveID: 'life-2', endpoints };
    await kube.patch(networkType, network.resource.metadata, { status }, 'status');
    await deps.caches.networks.waitFor((found) => found.status?.enclaveID === 'life-2', { timeoutMs: 5000 });
    let isThere = true;
    const { rpcOf: find } = deps;
    const batch = async (calls: readonly RpcCall[]) => calls.map(() => ({ result: isThere ? {} : null }));
    deps.rpcOf = (uid, service) => (service === 'el-2' ? { ...rpcOf(network), batch } : find(uid));
    for (let look = 0; look < 5; look += 1) {
      clock.advance(10_000);
      await lookUntil(() => true);
    }
    expect(await archived()).toEqual({});
    isThere = false;
    await lookUntil(isEmpty);
    expect(Object.values(await archived())).toMatchObject([{ state: 'dropped' }]);
  });

  test('a stopped network has lost its data', async () => {
    await accept([transfer()]);
    await kube.patch(networkType, network.resource.metadata, { status: { state: 'Stopped' } }, 'status');
    await deps.caches.networks.waitFor(({ status }) => status?.state === 'Stopped', { timeoutMs: 5000 });
    await lookUntil(isEmpty);
    expect(Object.values(await archived())).toMatchObject([{ state: 'dropped' }]);
  });
});

test('settled transactions are removed after a day, not before', async () => {
  await accept([transfer()]);
  await lookUntil(isEmpty);
  clock.advance(23 * 3_600_000);
  await lookUntil(() => true);
  expect(Object.keys(await archived())).toHaveLength(1);
  clock.advance(2 * 3_600_000);
  await lookUntil(() => true);
  expect(await archived()).toEqual({});
});
