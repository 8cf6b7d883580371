import { texts } from '../../texts.ts';
import type { Provider } from './wallets.ts';

interface Sending {
  /** The chain of the network, in digits. */
  chainId: string;
  to: string;
  data: string;
  value: bigint;
}

/**
 * Has a wallet sign and send a transaction; answers its hash. Throws when the wallet is on another chain: it would send
 * there.
 */
export async function sendByWallet(
  provider: Provider,
  { chainId, to, data, value }: Sending,
): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const from = Array.isArray(accounts) ? String(accounts[0]) : '';
  const current = await provider.request({ method: 'eth_chainId' });
  if (typeof current !== 'string' || BigInt(current) !== BigInt(chainId)) {
    throw new Error(texts.otherChain(chainId));
  }
  const transaction = { from, to, data, value: `0x${value.toString(16)}` };
  return String(await provider.request({ method: 'eth_sendTransaction', params: [transaction] }));
}
