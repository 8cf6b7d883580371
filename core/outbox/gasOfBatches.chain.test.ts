import { getCreateAddress } from 'ethers';
import type { TransactionItem } from '../api/rest/transaction.ts';
import { evmDrivers } from '../chains/evm/drivers.ts';
import { evmChains, osakaGasCapOf } from '../chains/evm/evmChains.ts';
import { startTestChain, type TestChain } from '../chains/evm/testing/testChain.ts';
import { readInstance } from '../evm/instance.ts';
import { awaitReceipts } from '../evm/receipts.ts';
import { createEvmRpc, type EvmRpc } from '../evm/rpc.ts';
import { prepare } from './prepare.ts';

const cap = 2n ** 24n;

/** Creation code that returns `code` (hexadecimal). */
const creationOf = (code: string) => {
  const size = (code.length / 2).toString(16).padStart(2, '0');
  return `0x60${size}600c60003960${size}6000f3${code}`;
};
const word = (value: number) => value.toString(16).padStart(64, '0');
/**
 * With call data: stores the first word in slot 0. Without: loops that often, or reverts if it is 0. Its zeros are
 * RETURNDATASIZE, because PUSH0 came with Shanghai.
 */
const counter = creationOf('3615600a573d353d55005b3d54806014573d3dfd5b600190038060145700');
/** Creation code that loops `times` times, each for about 26 gas. */
const loopOf = (times: number) => `0x62${times.toString(16).padStart(6, '0')}5b600190038060045700`;
/** Creation code that reverts unless the address in it holds something. */
const needsFunds = (address: string) => `0x73${address.slice(2)}31601c575f5ffd5b00`;

interface Scene {
  chain: TestChain;
  rpc: EvmRpc;
  /** The methods that were called. */
  asked: string[];
  run(...items: Partial<TransactionItem>[]): Promise<bigint[]>;
}

async function startScene(type: keyof typeof evmDrivers): Promise<Scene> {
  const chain = await startTestChain({ type, driver: evmDrivers[type] });
  const node = createEvmRpc({ url: chain.url });
  const asked: string[] = [];
  const rpc: EvmRpc = {
    ...node,
    batch(calls, options) {
      asked.push(...calls.map(({ method }) => method));
      return node.batch(calls, options);
    },
  };
  const from = chain.wallet.address;
  const published = { pod: 'p-1', process: await readInstance(rpc) };
  const common = { signer: from, chainId: chain.chainId, published, osakaGasCap: osakaGasCapOf(type) };
  return {
    chain,
    rpc,
    asked,
    async run(...items) {
      const whole = items.map((item) => ({ from, value: '0', data: '0x', ...item }));
      const { transactions } = await prepare({ rpc, ...common }, whole);
      return transactions.map(({ gasLimit }) => BigInt(gasLimit));
    },
  };
}

const stop = async ({ chain }: Scene) => chain.stop();
/** The address of the contract that the n-th transaction from now creates. */
const nextContract = async ({ chain }: Scene, n = 0) => {
  const nonce = await chain.provider.getTransactionCount(chain.wallet.address);
  return getCreateAddress({ from: chain.wallet.address, nonce: nonce + n });
};

/** Sends a batch with the planned limits, and returns the states of its receipts. */
async function statusesOn(scene: Scene, items: Partial<TransactionItem>[]): Promise<(boolean | undefined)[]> {
  const limits = await scene.run(...items);
  const statuses = [];
  for (const [index, { to, data = '0x', value = '0' }] of items.entries()) {
    const { wallet } = scene.chain;
    const sent = await wallet.sendTransaction({
      ...(to === undefined ? {} : { to }),
      data,
      value: BigInt(value),
      gasLimit: limits[index]!,
    });
    const [receipt] = await awaitReceipts(scene.rpc, [sent.hash], { timeoutMs: 10_000 });
    statuses.push(receipt?.isSuccess);
  }
  return statuses;
}

describe('a batch without gas limits is estimated in order', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene('Ethereum');
  });
  afterAll(() => stop(scene));

  const statusesOf = (items: Partial<TransactionItem>[]) => statusesOn(scene, items);

  test('a contract, and calls of it', async () => {
    const to = await nextContract(scene);
    const items = [{ data: counter }, { to, data: `0x${word(2000)}` }, { to, data: '0x' }];
    expect(await statusesOf(items)).toEqual([true, true, true]);
  });

  test('a word that decides how often a later call loops', async () => {
    const to = await nextContract(scene);
    await scene.chain.send({ data: counter });
    await scene.chain.send({ to, data: `0x${word(1)}` });
    const items = [{ to, data: `0x${word(2000)}` }, { to }, { to, data: `0x${word(3000)}` }, { to }];
    expect(await statusesOf(items)).toEqual([true, true, true, true]);
  });

  test('a word that becomes zero, so that a later call reverts', async () => {
    const to = await nextContract(scene);
    await scene.chain.send({ data: counter });
    await scene.chain.send({ to, data: `0x${word(5)}` });
    await expect(scene.run({ to, data: `0x${word(0)}` }, { to })).rejects.toMatchObject({
      details: [{ path: '[1].gas_limit', message: expect.stringContaining('reverted') }],
    });
  });

  test('a balance that a transfer before it leaves', async () => {
    const poor = `0x${'77'.repeat(20)}`;
    await expect(scene.run({ data: needsFunds(poor) })).rejects.toMatchObject({ reason: 'BadRequest' });
    expect(await statusesOf([{ to: poor, value: '1' }, { data: needsFunds(poor) }])).toEqual([true, true]);
  });

  test('an item with a limit counts with what it does within that limit', async () => {
    const to = await nextContract(scene);
    const items = [{ data: counter, gas_limit: 200_000 }, { to, data: `0x${word(2000)}` }, { to }];
    expect(await statusesOf(items)).toEqual([true, true, true]);
  });

  test('changes that no request could hold are left out', async () => {
    // Each returns code of 24,575 zero bytes.
    const limits = await scene.run(...Array.from({ length: 40 }, () => ({ data: '0x615fff5ff3' })));
    expect(limits).toHaveLength(40);
  });

  test('the chain of the node stays as it is', async () => {
    const methods = [scene.chain.provider.getBlockNumber(), scene.rpc.call('evm_snapshot', [])];
    const before = await Promise.all(methods);
    await scene.run({ data: counter }, { data: counter });
    expect(await scene.chain.provider.getBlockNumber()).toBe(before[0]);
    expect(await scene.rpc.call('evm_snapshot', [])).toBe(
      `0x${(BigInt(String(before[1])) + 1n).toString(16)}`,
    );
  });
});

describe.each(evmChains.map(({ type }) => type))('on a chain of type %s', (type) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(type);
  });
  afterAll(() => stop(scene));

  test('an item is estimated in the state that those before it leave', async () => {
    const to = await nextContract(scene);
    const items = [{ data: counter }, { to, data: `0x${word(2000)}` }, { to }];
    expect(await statusesOn(scene, items)).toEqual([true, true, true]);
  });
});

describe('the most gas of a transaction (EIP-7825)', () => {
  const large = loopOf(700_000);
  const tooMuch = `a transaction may have on this network, ${cap} (EIP-7825)`;
  const details = (message: string) => ({
    reason: 'BadRequest',
    details: [{ path: '[0].gas_limit', message: expect.stringContaining(message) }],
  });

  describe('with the rules of Osaka', () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await startScene('Ethereum');
    });
    afterAll(() => stop(scene));

    test('an estimate beyond it is refused', () =>
      expect(scene.run({ data: large })).rejects.toMatchObject(details(tooMuch)));
    test('a limit beyond it is refused', () =>
      expect(scene.run({ data: '0x00', gas_limit: 2 ** 24 + 1 })).rejects.toMatchObject(details(tooMuch)));
    test('a limit of exactly that much is accepted', async () => {
      expect(await scene.run({ data: '0x00', gas_limit: 2 ** 24 })).toEqual([cap]);
    });
    test('nothing is computed with a limit beyond it', async () => {
      scene.asked.length = 0;
      const endless = { data: '0x5b600056', gas_limit: 2 ** 50 };
      await expect(scene.run(endless, { data: '0x00' })).rejects.toMatchObject(details(tooMuch));
      expect(scene.asked).not.toContain('debug_traceCall');
    });
    test('an estimate that fits alone is not raised beyond it', async () => {
      expect(await scene.run({ data: loopOf(600_000) })).toEqual([cap]);
    });
    test('the engine refuses more, whoever sends it', () =>
      expect(scene.chain.send({ data: '0x00', gasLimit: cap + 1n })).rejects.toThrow(/gas/));
  });

  describe('before Osaka', () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await startScene('Avalanche');
    });
    afterAll(() => stop(scene));

    test('only the block gas limit counts', async () => {
      const [limit] = await scene.run({ data: large });
      expect(limit).toBeGreaterThan(cap);
      expect((await scene.chain.send({ data: large, gasLimit: limit! })).status).toBe(1);
      expect(await scene.run({ data: '0x00', gas_limit: 30_000_000 })).toEqual([30_000_000n]);
      const beyond = scene.run({ data: '0x00', gas_limit: 30_000_001 });
      await expect(beyond).rejects.toMatchObject(details('block gas limit of this network, 30000000'));
    });
  });

  describe('on a chain with a limit of its own', () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await startScene('Polygon');
    });
    afterAll(() => stop(scene));

    test('that one counts', async () => {
      const [limit] = await scene.run({ data: large });
      expect((await scene.chain.send({ data: large, gasLimit: limit! })).status).toBe(1);
      const beyond = scene.run({ data: '0x00', gas_limit: 32_000_001 });
      await expect(beyond).rejects.toMatchObject(details('32000000 (EIP-7825)'));
    });
  });
});
