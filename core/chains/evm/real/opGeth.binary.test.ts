import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { callRpc } from '../testing/startAnvil.ts';
import { describeReal } from './testing/describeReal.ts';

const engines = ['op-geth', 'op-sequencer'];

describeReal(
  {
    type: 'Optimism',
    engines,
    spec: { blockTime: 1, gasLimit: 33_000_000 },
    gasLimit: 33_000_000,
    blockTime: 1,
  },
  (chain) => {
    const latest = async () =>
      (await callRpc(chain().url, 'eth_getBlockByNumber', 'latest', true)) as {
        transactions: { type: string; from: string; hash: string }[];
        timestamp: string;
      };

    it('begins each block with the transaction that sets the L1 attributes', async () => {
      const {
        transactions: [first],
      } = await latest();
      expect(first).toMatchObject({ type: '0x7e', from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001' });
      const receipt = await callRpc(chain().url, 'eth_getTransactionReceipt', first?.hash);
      expect(receipt).toMatchObject({ status: '0x1' });
    });

    it('charges the L1 fee that GasPriceOracle tells', async () => {
      const provider = new JsonRpcProvider(chain().url, undefined, { staticNetwork: true, cacheTimeout: -1 });
      const wallet = new Wallet(`0x${'5e'.repeat(32)}`, provider);
      const sent = await wallet.sendTransaction({
        to: wallet.address,
        value: 1n,
        data: `0x${'ab'.repeat(200)}`,
      });
      await sent.wait();
      const receipt = (await callRpc(chain().url, 'eth_getTransactionReceipt', sent.hash)) as {
        l1Fee: string;
      };
      expect(BigInt(receipt.l1Fee)).toBeGreaterThan(0n);
      const raw = await callRpc(chain().url, 'eth_getRawTransactionByHash', sent.hash);
      const oracle = new Contract(
        '0x420000000000000000000000000000000000000F',
        ['function getL1Fee(bytes) view returns (uint256)'],
        provider,
      );
      // The oracle estimates the size of the signature.
      const told: bigint = await oracle.getFunction('getL1Fee')(raw);
      expect(Number(told)).toBeGreaterThan(Number(receipt.l1Fee) * 0.5);
      expect(Number(told)).toBeLessThan(Number(receipt.l1Fee) * 2);
    });
  },
);

describeReal({ type: 'Base', engines, gasLimit: 200_000_000, blockTime: 2 });

describeReal({ type: 'Mantle', engines, gasLimit: 60_000_000, blockTime: 2 });
