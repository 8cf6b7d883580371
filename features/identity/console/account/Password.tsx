import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { relativeTime } from '../../../../console/src/lib/time.ts';
import { useNow } from '../../../../console/src/lib/useNow.ts';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Failure } from '../../../../console/src/ui/Banner.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { Confirm, type Question } from '../../../../console/src/ui/Confirm.tsx';
import { TextField } from '../../../../console/src/ui/Field.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { tell } from '../../../../console/src/ui/toasts.ts';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import type { Password as PasswordState } from '../../../../sdk/src/generated/types.ts';
import styles from './account.module.css';
import { texts } from './texts.ts';
import { refreshWays } from './ways.ts';

const t = texts.password;

export function Password({ password }: { password: PasswordState }) {
  const now = useNow(30_000);
  const [isOpen, setOpen] = useState(false);
  const { isSet, email = '', changedAt } = password;
  return (
    <section className={surface.card} aria-labelledby="password">
      <div className={surface.cardHead}>
        <h2 id="password">{t.title}</h2>
        {isSet && !isOpen && <Remove />}
      </div>
      <div className={surface.cardBody}>
        <p className={styles.muted}>{isSet ? t.isSet(email, relativeTime(changedAt, now)) : t.text}</p>
        {isOpen ? (
          <SetForm password={password} onEnd={() => setOpen(false)} />
        ) : (
          <div>
            <Button onClick={() => setOpen(true)}>{isSet ? t.change : t.set}</Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Remove() {
  const { client } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const ask = () =>
    setQuestion({
      title: t.removeTitle,
      text: t.removeText,
      action: t.remove,
      isDanger: true,
      run: async () => {
        await client.account.deletePassword();
        tell(t.removed);
        await refreshWays(queries);
      },
    });
  return (
    <>
      <Button isSmall onClick={ask}>
        {t.remove}
      </Button>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}

/** The password is in its field alone: no state of the page has it. */
function SetForm({ password, onEnd }: { password: PasswordState; onEnd: () => void }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const detail = (field: string) =>
    isSlipwayError(error) ? error.details.find(({ path }) => path === field)?.message : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    const textOf = (name: string) => String(data.get(name) ?? '');
    const given = { password: textOf('password') };
    setBusy(true);
    client.account
      .replacePassword(password.canChangeEmail ? { ...given, email: textOf('email').trim() } : given)
      .then(async () => {
        tell(t.saved);
        await refreshWays(queries);
        onEnd();
      })
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const clear = () => setError(undefined);
  const isAtField = detail('email') !== undefined || detail('password') !== undefined;
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t.email}
        hint={password.canChangeEmail ? t.emailHint : t.emailOwn}
        error={detail('email')}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={password.email ?? ''}
        readOnly={!password.canChangeEmail}
        onChange={clear}
      />
      <TextField
        label={t.password}
        hint={t.passwordHint}
        error={detail('password')}
        name="password"
        type="password"
        autoComplete="new-password"
        onChange={clear}
      />
      {error !== undefined && !isAtField && <Failure error={error} />}
      <div className={styles.actions}>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t.save}
        </Button>
        <Button onClick={onEnd}>{t.cancel}</Button>
      </div>
    </form>
  );
}
