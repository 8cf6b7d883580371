import { type FormEvent, useEffect, useRef, useState } from 'react';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import { session } from '../session/browser.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { messageOf } from '../ui/toasts.ts';
import styles from './app.module.css';
import { texts } from './texts.ts';

const { signIn } = texts;

/** The key is in the field alone: no state of the page, no storage and no address has it. */
export function KeyForm({ isOnly, hint }: { isOnly: boolean; hint: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (isOnly && document.activeElement === document.body) form.current?.querySelector('input')?.focus();
  }, [isOnly]);
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
    <form ref={form} className={styles.signInForm} onSubmit={submit}>
      <TextField
        label={signIn.label}
        hint={hint}
        error={error}
        name="apiKey"
        type="password"
        onChange={() => setError(undefined)}
      />
      <Button type="submit" look={isOnly ? 'primary' : 'plain'} isBusy={isBusy}>
        {signIn.action}
      </Button>
    </form>
  );
}

function whyOf(error: unknown): string {
  return isSlipwayError(error, 'Unauthorized') ? signIn.refused : messageOf(error);
}
