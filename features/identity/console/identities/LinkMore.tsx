import { useState } from 'react';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { tell } from '../../../../console/src/ui/toasts.ts';
import { leaveToLink, linkWallet } from '../lib/elsewhere.ts';
import { isDeclined } from '../lib/wallets.ts';
import { useSignInOptions } from '../signIn/OtherWays.tsx';
import { useWallets, WalletIcon } from '../signIn/WalletIcon.tsx';
import styles from './identities.module.css';
import { texts } from './texts.ts';

/** Buttons that link an account at each provider, and each wallet of the browser. */
export function LinkMore({ onChange }: { onChange: () => Promise<void> }) {
  const { client } = useInside();
  const options = useSignInOptions();
  const wallets = useWallets();
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<unknown>();
  if (!options) return null;
  const hasWallets = options.methods.includes('wallet');
  const run = (what: string, work: () => Promise<void>) => () => {
    setBusy(what);
    setError(undefined);
    work()
      .catch((failure: unknown) => setError(isDeclined(failure) ? new Error(texts.declined) : failure))
      .finally(() => setBusy(undefined));
  };
  const linkOne = (wallet: (typeof wallets)[number]) =>
    run(wallet.id, async () => {
      await linkWallet(client, wallet);
      tell(texts.linkedNow);
      await onChange();
    });
  return (
    <>
      <div className={styles.actions}>
        {options.providers.map(({ name, title }) => (
          <Button key={name} isBusy={busy === name} onClick={run(name, () => leaveToLink(client, name))}>
            {texts.linkProvider(title)}
          </Button>
        ))}
        {hasWallets &&
          wallets.map((wallet) => (
            <Button key={wallet.id} isBusy={busy === wallet.id} onClick={linkOne(wallet)}>
              <WalletIcon wallet={wallet} /> {texts.linkWallet(wallet.name)}
            </Button>
          ))}
      </div>
      {hasWallets && wallets.length === 0 && <p className={styles.muted}>{texts.noWallet}</p>}
      {error !== undefined && <Failure error={error} title={texts.failedTitle} />}
    </>
  );
}
