import { useEffect, useRef, useState } from 'react';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import type { User } from '../../../../sdk/src/generated/types.ts';
import { session } from '../../session/browser.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { messageOf } from '../../ui/toasts.ts';
import styles from '../app.module.css';
import { Logo } from '../Logo.tsx';
import { texts } from '../texts.ts';
import { linkToken } from './linkToken.ts';

const { signIn } = texts;

/** A person has to press the button: programs that look into links do not use them up. */
export function LinkSignIn({ token, user }: { token: string; user: User | undefined }) {
  const button = useRef<HTMLButtonElement>(null);
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = signIn.linkTitle;
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
        <h1>{signIn.linkTitle}</h1>
        {error ? <Banner look="bad" icon="alert" title={error} /> : <p>{signIn.linkText}</p>}
        {user && !error && <p>{signIn.linkOther(user.name ?? user.email ?? user.id)}</p>}
        {!isOver && (
          <Button ref={button} look="primary" className={styles.signInWide} isBusy={isBusy} onClick={open}>
            {signIn.linkAction}
          </Button>
        )}
        <Button look={isOver ? 'primary' : 'quiet'} className={styles.signInWide} onClick={leave}>
          {signIn.linkBack}
        </Button>
      </div>
    </main>
  );
}

function whyOf(error: unknown): string {
  return isSlipwayError(error, 'Unauthorized') ? signIn.linkRefused : messageOf(error);
}
