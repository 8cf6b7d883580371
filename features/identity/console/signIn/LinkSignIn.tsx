import { useEffect, useRef, useState } from 'react';
import styles from '../../../../console/src/app/app.module.css';
import { Logo } from '../../../../console/src/app/Logo.tsx';
import { session } from '../../../../console/src/session/browser.ts';
import { Banner } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { messageOf } from '../../../../console/src/ui/toasts.ts';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import type { User } from '../../../../sdk/src/generated/types.ts';
import { linkToken } from './linkToken.ts';
import { texts } from './texts.ts';

/** A person has to press the button: programs that look into links do not use them up. */
export function LinkSignIn({ token, user }: { token: string; user: User | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = texts.linkTitle;
    button.current?.focus();
  }, []);
  const leave = () => {
    history.replaceState(null, '', '/');
    linkToken.set(undefined);
  };
  const open = () => {
    setBusy(true);
    setFailure(undefined);
    session
      .signInBy((client) => client.signIn.withLink({ token }))
      .then(leave, setFailure)
      .finally(() => setBusy(false));
  };
  // After anything but a refusal, such as a lost connection, the link still works.
  const isOver = isSlipwayError(failure, 'Unauthorized');
  const error = failure === undefined ? undefined : whyOf(failure);
  return (
    <main className={styles.signIn}>
      <div className={styles.signInCard}>
        <Logo />
        <h1>{texts.linkTitle}</h1>
        {error ? <Banner look="bad" icon="alert" title={error} /> : <p>{texts.linkText}</p>}
        {user && !error && <p>{texts.linkOther(user.name ?? user.email ?? user.id)}</p>}
        {!isOver && (
          <Button ref={button} look="primary" className={styles.signInWide} isBusy={isBusy} onClick={open}>
            {texts.linkAction}
          </Button>
        )}
        <Button look={isOver ? 'primary' : 'quiet'} className={styles.signInWide} onClick={leave}>
          {texts.linkBack}
        </Button>
      </div>
    </main>
  );
}

function whyOf(error: unknown): string {
  return isSlipwayError(error, 'Unauthorized') ? texts.linkRefused : messageOf(error);
}
