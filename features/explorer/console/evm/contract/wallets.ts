import { useEffect, useState } from 'react';

/** EIP-1193. */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** A wallet that told of itself (EIP-6963). */
export interface FoundWallet {
  info: { uuid: string; name: string };
  provider: Provider;
}

declare global {
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<FoundWallet>;
  }
}

/** The wallets of this browser; each tells of itself when it is asked. */
export function useWallets(): readonly FoundWallet[] {
  const [wallets, setWallets] = useState<readonly FoundWallet[]>([]);
  useEffect(() => {
    const found = ({ detail }: CustomEvent<FoundWallet>) =>
      setWallets((now) => [...now.filter(({ info }) => info.uuid !== detail.info.uuid), detail]);
    window.addEventListener('eip6963:announceProvider', found);
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    return () => window.removeEventListener('eip6963:announceProvider', found);
  }, []);
  return wallets;
}
