import { useEffect, useState } from 'react';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import { type BrowserWallet, findWallets } from '../lib/wallets.ts';
import styles from './signIn.module.css';

/** The wallets of this browser. */
export function useWallets(): readonly BrowserWallet[] {
  const [wallets, setWallets] = useState<readonly BrowserWallet[]>([]);
  useEffect(() => findWallets(setWallets), []);
  return wallets;
}

export function WalletIcon({ wallet }: { wallet: BrowserWallet }) {
  if (wallet.icon === undefined) return <Icon name="wallet" />;
  return <img className={styles.walletIcon} src={wallet.icon} alt="" />;
}
