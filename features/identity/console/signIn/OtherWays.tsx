import { useEffect, useState } from 'react';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import type { SignInOptions } from '../../../../sdk/src/generated/types.ts';
import { leaveFor, signInOptions, signInWithWallet } from '../lib/elsewhere.ts';
import { isDeclined } from '../lib/wallets.ts';
import styles from './signIn.module.css';
import { texts } from './texts.ts';
import { useWallets, WalletIcon } from './WalletIcon.tsx';

interface Props {
  /** Token of an invitation that is accepted with the sign-in, by providers alone. */
  invitation?: string;
}

/** A button for each provider of the installation, and for each wallet of the browser. Nothing if there is none. */
export function OtherWays({ invitation }: Props) {
  const options = useSignInOptions();
  const wallets = useWallets();
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<unknown>();
  const shown = invitation === undefined && options?.methods.includes('wallet') ? wallets : [];
  if (!options || options.providers.length + shown.length === 0) return null;
  const run = (what: string, work: () => Promise<void>) => () => {
    setBusy(what);
    setError(undefined);
    work()
      .catch((failure: unknown) => setError(isDeclined(failure) ? new Error(texts.declined) : failure))
      .finally(() => setBusy(undefined));
  };
  const journey = invitation === undefined ? {} : { invitation };
  return (
    <div className={styles.ways} role="group" aria-label={texts.ways}>
      <span className={styles.or}>{texts.or}</span>
      {options.providers.map(({ name, title }) => (
        <Button
          key={name}
          className={styles.way ?? ''}
          isBusy={busy === name}
          onClick={run(name, () => leaveFor(name, journey))}
        >
          {busy === name ? texts.leaving(title) : texts.continueWith(title)}
        </Button>
      ))}
      {shown.map((wallet) => (
        <Button
          key={wallet.id}
          className={styles.way ?? ''}
          isBusy={busy === wallet.id}
          onClick={run(wallet.id, () => signInWithWallet(wallet))}
        >
          <WalletIcon wallet={wallet} /> {texts.continueWithWallet(wallet.name)}
        </Button>
      ))}
      {error !== undefined && <Failure error={error} title={texts.failedTitle} />}
    </div>
  );
}

/** Undefined until they are known; the other ways to sign in do not wait for it. */
export function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    let isGone = false;
    void signInOptions().then(
      (found) => isGone || setOptions(found),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return options;
}
