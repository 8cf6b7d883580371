import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { UserError } from '../lib/run.ts';

export interface MinedTransaction {
  chainId: string;
  from: string;
  to: string;
  hash: string;
  block: number;
}

/** Nobody has the key of this address: ether sent there is burnt. */
const recipient = '0x000000000000000000000000000000000000dEaD';
const minedLimitMs = 60_000;

/** Sends 0.01 ether signed by `key` to the chain at `rpcUrl` and waits until it is mined. */
export async function sendFirstTransaction(rpcUrl: string, key: string): Promise<MinedTransaction> {
  const provider = new JsonRpcProvider(rpcUrl, undefined, { staticNetwork: true });
  provider.pollingInterval = 100;
  try {
    const wallet = new Wallet(key, provider);
    const { chainId } = await provider.getNetwork();
    const sent = await wallet.sendTransaction({ to: recipient, value: parseEther('0.01') });
    const receipt = await sent.wait(1, minedLimitMs);
    if (receipt?.status !== 1) throw new UserError(`the demo transaction ${sent.hash} was mined but failed`);
    return {
      chainId: chainId.toString(),
      from: wallet.address,
      to: recipient,
      hash: receipt.hash,
      block: receipt.blockNumber,
    };
  } finally {
    provider.destroy();
  }
}
