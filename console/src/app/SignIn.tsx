import { type FormEvent, useEffect, useRef, useState } from 'react';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import { OtherWays } from '../pages/signIn/OtherWays.tsx';
import { session } from '../session/browser.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { messageOf } from '../ui/toasts.ts';
import styles from './app.module.css';
import { Logo } from './Logo.tsx';
import { texts } from './texts.ts';

const { signIn } = texts;

/** The key is in the field alone: no state of the page, no storage and no address has it. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = signIn.title;
    form.current?.querySelector('input')?.focus();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const apiKey = String(new FormData(event.currentTarget).get('apiKey') ?? '');
    if (isBusy) return;
    if (apiKey.trim() === '') return setError(signIn.noKey);
    setBusy(true);
    session
      .signIn(apiKey)
      .catch((failure) => setError(whyOf(failure)))
      .finally(() => setBusy(false));
  };
  return (
    <main className={styles.signIn}>
      <form ref={form} className={styles.signInCard} onSubmit={submit}>
        <Logo />
        <h1>{signIn.title}</h1>
        {hasEnded && <Banner look="plain" icon="clock" title={signIn.ended} />}
        <TextField
          label={signIn.label}
          hint={signIn.hint}
          error={error}
          name="apiKey"
          type="password"
          onChange={() => setError(undefined)}
        />
        <Button type="submit" look="primary" isBusy={isBusy}>
          {signIn.action}
        </Button>
        <OtherWays />
        <p className={styles.signInHelp}>{signIn.help}</p>
      </form>
    </main>
  );
}

function whyOf(error: unknown): string {
  return isSlipwayError(error, 'Unauthorized') ? signIn.refused : messageOf(error);
}
