import { JsonRpcProvider, Wallet } from 'ethers';
import { startReal } from '../../core/chains/evm/real/testing/startReal.ts';
import type { RunningPlan } from '../../core/chains/testing/runPlan.ts';

/** With these blocks epochs begin, by the rules since Maxwell: the client asks its contracts for the validators. */
const epochs = [1000, 2000];
const wallet = new Wallet(`0x${'5e'.repeat(32)}`);

/** The program itself, without an installation: it makes its thousandth block after seven and a half minutes. */
describe('a BNB chain with its real client', () => {
  let chain: RunningPlan;
  beforeAll(async () => {
    chain = await startReal('BNB', {}, { hotAddress: wallet.address });
  });
  afterAll(() => chain.stop());

  const withProvider = async <T>(use: (provider: JsonRpcProvider) => Promise<T>): Promise<T> => {
    const provider = new JsonRpcProvider(chain.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
    try {
      return await use(provider);
    } finally {
      provider.destroy();
    }
  };

  /** Resolves once the chain has this block. */
  const reach = (number: number) =>
    withProvider(async (provider) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await provider.on('block', (head: number) => head >= number && resolve());
      await promise;
    });

  it.each(epochs)('goes on in the epoch that begins with block %i, also after a SIGKILL', async (first) => {
    await reach(first + 2);
    chain = await chain.crash();
    await withProvider(async (provider) => {
      const sent = await wallet.connect(provider).sendTransaction({ to: wallet.address, value: 1n });
      const receipt = await sent.wait();
      expect(receipt?.blockNumber).toBeGreaterThan(first);
      const [begin, end] = [await provider.getBlock(1), await provider.getBlock(receipt?.blockNumber ?? 0)];
      expect(end?.miner).toBe(begin?.miner);
    });
  });
});
