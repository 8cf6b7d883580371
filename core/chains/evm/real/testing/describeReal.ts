import { Contract, JsonRpcProvider, parseEther, Wallet, WebSocketProvider } from 'ethers';
import type { Layer2Spec, Layer2Type } from '../../../../api/resources/chainSpecs.ts';
import { type RunningPlan, skipReasonOf } from '../../../testing/runPlan.ts';
import { callRpc } from '../../testing/startAnvil.ts';
import { startReal } from './startReal.ts';

const wallet = new Wallet(`0x${'5e'.repeat(32)}`);
const seeded = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const friend = '0x00000000000000000000000000000000000000F1';
const multicall = '0xcA11bde05977b3631167028862bE2a173976CA11';

interface RealCase {
  type: Layer2Type;
  engines: string[];
  spec?: Layer2Spec;
  gasLimit: number;
  /** Seconds between blocks. */
  blockTime: number;
  /** It makes blocks of transactions alone. */
  isIdle?: true;
}

const provider = ({ url }: RunningPlan) =>
  new JsonRpcProvider(url, undefined, { staticNetwork: true, cacheTimeout: -1, pollingInterval: 100 });

/** Sends an amount and returns the receipt. */
async function send(chain: RunningPlan, to: string, amount: string) {
  const sent = await wallet.connect(provider(chain)).sendTransaction({ to, value: parseEther(amount) });
  const receipt = await sent.wait();
  if (!receipt) throw new Error('the transaction has no receipt');
  return receipt;
}

const blockAt = async (chain: RunningPlan, number: number | string) => {
  const block = await provider(chain).getBlock(number);
  if (!block) throw new Error(`no block ${number}`);
  return block;
};

/** Resolves once the chain has this block. */
async function reach(chain: RunningPlan, number: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const source = provider(chain);
  await source.on('block', (head: number) => head >= number && resolve());
  await promise;
  source.destroy();
}

/** What every real client of a Layer 2 does, on a running one. */
export function describeReal(
  { type, engines, spec = {}, gasLimit, blockTime, isIdle }: RealCase,
  more?: (chain: () => RunningPlan) => void,
): void {
  const reason = skipReasonOf(...engines);
  const suite = reason ? describe.skip : describe;

  suite(`${type} with its real client${reason ? ` (${reason})` : ''}`, () => {
    let chain: RunningPlan;
    beforeAll(async () => {
      chain = await startReal(type, spec, { hotAddress: wallet.address, mnemonicAddresses: [seeded] });
    });
    afterAll(() => chain.stop());

    /** Resolves once the chain has this block. */
    const advance = async (number: number) => {
      if (!isIdle) return reach(chain, number);
      while ((await send(chain, seeded, '0')).blockNumber < number);
    };

    it('has the chain id of the plan, and funds the accounts of the spec', async () => {
      expect(BigInt(String(await callRpc(chain.url, 'eth_chainId')))).toBe(BigInt(chain.chainId));
      expect(await callRpc(chain.url, 'net_version')).toBe(chain.chainId);
      expect(await provider(chain).getBalance(wallet.address)).toBeGreaterThan(parseEther('900000'));
      expect(await provider(chain).getBalance(seeded)).toBeGreaterThan(parseEther('9000'));
    });

    it('executes a transfer, and returns its receipt', async () => {
      const receipt = await send(chain, friend, '1.5');
      expect(receipt.status).toBe(1);
      expect(await provider(chain).getBalance(friend)).toBe(parseEther('1.5'));
    });

    it('has the contracts of the chain from the first block on', async () => {
      const contract = new Contract(
        multicall,
        ['function getChainId() view returns (uint256)'],
        provider(chain),
      );
      expect(await contract.getFunction('getChainId')()).toBe(BigInt(chain.chainId));
    });

    it('makes blocks at its block time, with its gas limit', async () => {
      await advance(6);
      const [early, late] = [await blockAt(chain, 2), await blockAt(chain, 6)];
      // Timestamps are whole seconds.
      expect(late.timestamp - early.timestamp).toBeGreaterThanOrEqual(Math.floor(4 * blockTime));
      expect(late.gasLimit).toBe(BigInt(gasLimit));
    });

    it('tells new blocks over WebSocket', async () => {
      const socket = new WebSocketProvider(chain.wsUrl);
      const { promise, resolve } = Promise.withResolvers<number>();
      await socket.once('block', resolve);
      if (isIdle) await send(chain, seeded, '0');
      expect(await promise).toBeGreaterThan(0);
      await socket.destroy();
    });

    it('is another chain when it begins at another time', async () => {
      const other = await startReal(type, spec, { hotAddress: wallet.address, genesisTime: 1_700_000_000 });
      try {
        expect((await blockAt(other, 0)).hash).not.toBe((await blockAt(chain, 0)).hash);
      } finally {
        await other.stop();
      }
    });

    it('has its balances, its history and its genesis after each of three SIGKILLs', async () => {
      const { hash: genesis } = await blockAt(chain, 0);
      for (let round = 1; round <= 3; round += 1) {
        const before = await provider(chain).getBalance(friend);
        const { hash, blockNumber } = await send(chain, friend, '1');
        if (!isIdle) await reach(chain, blockNumber + 1);
        chain = await chain.crash();
        expect(await provider(chain).getBalance(friend)).toBe(before + parseEther('1'));
        expect((await provider(chain).getTransactionReceipt(hash))?.blockNumber).toBe(blockNumber);
        expect((await blockAt(chain, 0)).hash).toBe(genesis);
        await send(chain, seeded, '1');
      }
    });

    more?.(() => chain);
  });
}
