import { HDNodeWallet, Wallet } from 'ethers';
import { callRpc } from '../../core/chains/evm/testing/startAnvil.ts';
import { startPlainAnvil } from '../../core/evm/testing/plainAnvil.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../../e2e/lib/networks.ts';
import { freshName } from '../../e2e/lib/service.ts';

/** A million ether: the tests of a suite spend thousands. */
const balance = '0xd3c21bcecceda1000000';

/** A network, with its admin URL, and a plain anvil with the same chain id. */
export interface Targets {
  network: string;
  anvil: string;
  chainId: string;
  /** Of an account with a balance on both. */
  privateKey: string;
  /** Gives these accounts a balance on both. */
  fund(addresses: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Creates both. */
export async function startTargets(): Promise<Targets> {
  const { name, wallet } = await createHotKey();
  const created = await createNetwork({ privateKeyRef: { name } }, freshName('net'), { idleAfter: '1h' });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const { id } = created.body;
  const { status } = await reach(id, 'Operational');
  const { admin = '' } = await endpointsOf(id);
  const plain = await startPlainAnvil(['--accounts', '0', '--chain-id', status.chainID]);
  const fund = async (addresses: readonly string[]) => {
    for (const url of [admin, plain.url]) {
      for (const address of addresses) await callRpc(url, 'anvil_setBalance', address, balance);
    }
  };
  await fund([wallet.address]);
  return {
    network: admin,
    anvil: plain.url,
    chainId: status.chainID,
    privateKey: wallet.privateKey,
    fund,
    async close() {
      await plain.close();
      await remove(id);
    },
  };
}

/** The accounts that Hardhat takes from a new mnemonic: 20 with the usual path. */
export function createAccounts(): { mnemonic: string; addresses: string[] } {
  const { mnemonic } = Wallet.createRandom();
  if (!mnemonic) throw new Error('a wallet has no mnemonic');
  const root = HDNodeWallet.fromMnemonic(mnemonic, "m/44'/60'/0'/0");
  const addresses = Array.from({ length: 20 }, (_, index) => root.deriveChild(index).address);
  return { mnemonic: mnemonic.phrase, addresses };
}
