import { currencyOf } from '../../../../sdk/src/currency.ts';
import type { Network } from '../../../../sdk/src/generated/types.ts';

/** EIP-1193: what wallets put into pages. */
interface Wallet {
  request(call: { method: string; params: unknown[] }): Promise<unknown>;
}

declare global {
  interface Window {
    ethereum?: Wallet;
  }
}

/** Wallets take networks only over HTTPS, or from this machine. */
export function hasWallet(): boolean {
  return window.ethereum !== undefined && window.isSecureContext;
}

/** EIP-3085. Rejects with what the wallet says. */
export async function addToWallet({ name, spec, status }: Network): Promise<void> {
  const { rpc } = status?.endpoints ?? {};
  const chain = {
    chainId: `0x${BigInt(status?.chainID ?? '0').toString(16)}`,
    chainName: name,
    rpcUrls: [rpc],
    nativeCurrency: currencyOf(spec.chain.type),
  };
  await window.ethereum?.request({ method: 'wallet_addEthereumChain', params: [chain] });
}
