import { useEffect, useState } from 'react';
import { createClient } from '../../../../sdk/src/client.ts';
import type { SignInOptions } from '../../../../sdk/src/generated/types.ts';
import { OtherWays } from '../../pages/signIn/OtherWays.tsx';
import { canUsePasskeys } from '../../session/passkeys.ts';
import { Banner } from '../../ui/Banner.tsx';
import styles from '../app.module.css';
import { Logo } from '../Logo.tsx';
import { texts } from '../texts.ts';
import { KeyForm } from './KeyForm.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordForm } from './PasswordForm.tsx';

const { signIn } = texts;

/** All ways that this installation offers. An API key signs in even where the others are not known. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const options = useSignInOptions();
  useEffect(() => {
    document.title = signIn.title;
  }, []);
  const has = (method: SignInOptions['methods'][number]) => options?.methods.includes(method) ?? false;
  const hasPasskeys = has('passkey') && canUsePasskeys(options?.passkeyOrigin);
  const hasPassword = has('password');
  return (
    <main className={styles.signIn}>
      <div className={styles.signInCard}>
        <Logo />
        <h1>{signIn.title}</h1>
        {hasEnded && <Banner look="plain" icon="clock" title={signIn.ended} />}
        {hasPasskeys && <PasskeyButton />}
        {hasPassword && <PasswordForm hasPasskeys={hasPasskeys} />}
        <OtherWays />
        {(hasPasskeys || hasPassword) && <div className={styles.signInOr}>{signIn.or}</div>}
        <KeyForm isOnly={options !== undefined && !hasPassword} />
        <p className={styles.signInHelp}>
          {signIn.help}
          {has('passkey') && !hasPasskeys && <PasskeyPlace origin={options?.passkeyOrigin} />}
        </p>
      </div>
    </main>
  );
}

/** Undefined until they are known. */
function useSignInOptions(): SignInOptions | undefined {
  const [options, setOptions] = useState<SignInOptions>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    createClient({ url: location.origin })
      .signIn.getOptions({ signal })
      .then(setOptions, () => {});
    return () => controller.abort();
  }, []);
  return options;
}

/** A loopback address has no passkeys; localhost, which is the same place, has. */
function PasskeyPlace({ origin }: { origin: string | undefined }) {
  if (origin === undefined || origin === location.origin) return null;
  return (
    <>
      {' '}
      {signIn.passkeyElsewhere} <a href={`${origin}${location.pathname}`}>{origin}</a>.
    </>
  );
}
