import { useEffect } from 'react';
import styles from '../../../../console/src/app/app.module.css';
import { KeyForm } from '../../../../console/src/app/KeyForm.tsx';
import { Logo } from '../../../../console/src/app/Logo.tsx';
import { texts as appTexts } from '../../../../console/src/app/texts.ts';
import { Banner } from '../../../../console/src/ui/Banner.tsx';
import type { SignInOptions } from '../../../../sdk/src/generated/types.ts';
import { canUsePasskeys } from '../lib/passkeys.ts';
import { OtherWays, useSignInOptions } from './OtherWays.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { texts } from './texts.ts';

/** All ways that this installation offers. An API key signs in even where the others are not known. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const options = useSignInOptions();
  useEffect(() => {
    document.title = appTexts.signIn.title;
  }, []);
  const has = (method: SignInOptions['methods'][number]) => options?.methods.includes(method) ?? false;
  const hasPasskeys = has('passkey') && canUsePasskeys(options?.passkeyOrigin);
  const hasPassword = has('password');
  return (
    <main className={styles.signIn}>
      <div className={styles.signInCard}>
        <Logo />
        <h1>{appTexts.signIn.title}</h1>
        {hasEnded && <Banner look="plain" icon="clock" title={appTexts.signIn.ended} />}
        {hasPasskeys && <PasskeyButton />}
        {hasPassword && <PasswordForm hasPasskeys={hasPasskeys} />}
        <OtherWays />
        {(hasPasskeys || hasPassword) && <div className={styles.signInOr}>{texts.or}</div>}
        <KeyForm hint={texts.hint} isOnly={options !== undefined && !hasPassword} />
        <p className={styles.signInHelp}>
          {texts.help}
          {has('passkey') && !hasPasskeys && <PasskeyPlace origin={options?.passkeyOrigin} />}
        </p>
      </div>
    </main>
  );
}

/** A loopback address has no passkeys; localhost, which is the same place, has. */
function PasskeyPlace({ origin }: { origin: string | undefined }) {
  if (origin === undefined || origin === location.origin) return null;
  return (
    <>
      {' '}
      {texts.passkeyElsewhere} <a href={`${origin}${location.pathname}`}>{origin}</a>.
    </>
  );
}
