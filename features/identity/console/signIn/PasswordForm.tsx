import { type FormEvent, useEffect, useRef, useState } from 'react';
import styles from '../../../../console/src/app/app.module.css';
import { session } from '../../../../console/src/session/browser.ts';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { TextField } from '../../../../console/src/ui/Field.tsx';
import { messageOf } from '../../../../console/src/ui/toasts.ts';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import { cancelPasskeys, openWithPasskey } from '../lib/passkeys.ts';
import { texts } from './texts.ts';

/** Like the API key, the password is in its field alone. The suggestions of the address field have passkeys, too. */
export function PasswordForm({ hasPasskeys }: { hasPasskeys: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useSuggestedPasskeys(hasPasskeys);
  useEffect(() => {
    // Whoever has begun with another way goes on there.
    if (document.activeElement === document.body) form.current?.querySelector('input')?.focus();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const email = String(data.get('email') ?? '').trim();
    const password = String(data.get('password') ?? '');
    if (isBusy) return;
    if (email === '' || password === '') return setError(texts.noPassword);
    setBusy(true);
    session
      .signInBy((client) => client.signIn.withPassword({ email, password }))
      .catch((failure) => setError(whyOf(failure)))
      .finally(() => setBusy(false));
  };
  const clear = () => setError(undefined);
  return (
    <form ref={form} className={styles.signInForm} onSubmit={submit} noValidate>
      <TextField
        label={texts.email}
        name="email"
        type="email"
        autoComplete="username webauthn"
        onChange={clear}
      />
      <TextField
        label={texts.password}
        error={error}
        name="password"
        type="password"
        autoComplete="current-password"
        onChange={clear}
      />
      <Button type="submit" look={hasPasskeys ? 'plain' : 'primary'} isBusy={isBusy}>
        {texts.withPassword}
      </Button>
    </form>
  );
}

/** Nothing is asked of the user: a passkey that is picked from the suggestions signs in. */
function useSuggestedPasskeys(hasPasskeys: boolean): void {
  useEffect(() => {
    if (!hasPasskeys) return;
    session.signInBy((client) => openWithPasskey(client, { isQuiet: true })).catch(() => {});
    return () => void cancelPasskeys();
  }, [hasPasskeys]);
}

function whyOf(error: unknown): string {
  return isSlipwayError(error, 'Unauthorized') ? texts.passwordRefused : messageOf(error);
}
