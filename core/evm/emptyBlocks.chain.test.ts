import { evmDrivers } from '../chains/evm/drivers.ts';
import { startTestChain } from '../chains/evm/testing/testChain.ts';
import { readQuietHead } from './emptyBlocks.ts';
import { createEvmRpc } from './rpc.ts';

const { Ethereum: driver } = evmDrivers;
const blocks = 1000;
const minedAtATime = 10;

test('a node that is asked for its newest block while it mines goes on', async () => {
  const chain = await startTestChain({ type: 'Ethereum', driver });
  try {
    const rpc = createEvmRpc({ url: chain.url });
    let isMining = true;
    const ask = async () => {
      while (isMining) await readQuietHead(rpc);
    };
    const mine = async () => {
      const calls = Array.from({ length: minedAtATime }, () => ({ method: 'evm_mine', params: [] }));
      for (let mined = 0; mined < blocks; mined += minedAtATime) {
        for (const outcome of await rpc.batch(calls)) if ('error' in outcome) throw outcome.error;
      }
    };
    const asking = [ask(), ask(), ask(), ask()];
    await mine().finally(() => {
      isMining = false;
    });
    await Promise.all(asking);
    expect(await readQuietHead(rpc)).toMatchObject({ number: BigInt(blocks), copiedUntil: 0n });
  } finally {
    await chain.stop();
  }
});

test('a fork tells which of its blocks it has copied', async () => {
  const source = await startTestChain({ type: 'Ethereum', driver });
  try {
    await createEvmRpc({ url: source.url }).batch([1, 2].map(() => ({ method: 'evm_mine', params: [] })));
    const fork = await startTestChain({
      type: 'Ethereum',
      driver,
      fork: { url: source.url, blockHeight: '2' },
    });
    try {
      const rpc = createEvmRpc({ url: fork.url });
      await rpc.call('evm_mine', []);
      expect(await readQuietHead(rpc)).toMatchObject({ number: 3n, copiedUntil: 2n });
    } finally {
      await fork.stop();
    }
  } finally {
    await source.stop();
  }
});
