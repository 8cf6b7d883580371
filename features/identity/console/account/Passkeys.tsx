import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { relativeTime } from '../../../../console/src/lib/time.ts';
import { useNow } from '../../../../console/src/lib/useNow.ts';
import { useInside } from '../../../../console/src/session/context.tsx';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { Confirm, type Question } from '../../../../console/src/ui/Confirm.tsx';
import { TextField } from '../../../../console/src/ui/Field.tsx';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { messageOf, tell, tellFailure } from '../../../../console/src/ui/toasts.ts';
import { isSlipwayError } from '../../../../sdk/src/error.ts';
import type { Passkey } from '../../../../sdk/src/generated/types.ts';
import { canUsePasskeys, enrolPasskey } from '../lib/passkeys.ts';
import styles from './account.module.css';
import { browserName } from './browserName.ts';
import { texts } from './texts.ts';
import { refreshWays, type Ways } from './ways.ts';

const t = texts.passkeys;

export function Passkeys({ ways: { options, passkeys } }: { ways: Ways }) {
  const canAdd = canUsePasskeys(options.passkeyOrigin);
  return (
    <section className={surface.card} aria-labelledby="passkeys">
      <div className={surface.cardHead}>
        <h2 id="passkeys">{t.title}</h2>
      </div>
      {passkeys.length > 0 && <List passkeys={passkeys} />}
      <div className={surface.cardBody}>
        <p className={styles.muted}>{t.text}</p>
        {canAdd ? <AddForm /> : <Elsewhere origin={options.passkeyOrigin} />}
      </div>
    </section>
  );
}

function Elsewhere({ origin }: { origin: string | undefined }) {
  if (origin === undefined) return <p>{t.none}</p>;
  return (
    <p>
      {t.elsewhere} <a href={`${origin}/account`}>{origin}</a>.
    </p>
  );
}

function AddForm() {
  const { client } = useInside();
  const queries = useQueryClient();
  const [name, setName] = useState(() => browserName(navigator.userAgent).slice(0, 64));
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') return setError(t.noName);
    setBusy(true);
    enrolPasskey(client, name.trim())
      .then(() => {
        tell(t.added);
        return refreshWays(queries);
      })
      .catch((failure) => setError(isSlipwayError(failure) ? messageOf(failure) : t.notMade))
      .finally(() => setBusy(false));
  };
  return (
    <form className={styles.row} onSubmit={submit}>
      <TextField
        label={t.name}
        error={error}
        value={name}
        maxLength={128}
        onChange={(value) => {
          setName(value);
          setError(undefined);
        }}
      />
      <Button type="submit" icon="plus" isBusy={isBusy}>
        {t.add}
      </Button>
    </form>
  );
}

function List({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const remove = ({ id, name }: Passkey) =>
    setQuestion({
      title: t.removeTitle(name),
      text: passkeys.length === 1 ? t.removeLast : t.removeText,
      action: t.remove,
      isDanger: true,
      run: async () => {
        await client.passkeys.delete(id);
        tell(t.removed);
        await refreshWays(queries);
      },
    });
  return (
    <ul className={styles.list}>
      {passkeys.map((passkey) => (
        <Row key={passkey.id} passkey={passkey} onRemove={() => remove(passkey)} />
      ))}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </ul>
  );
}

function Row({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const now = useNow(30_000);
  const [isNaming, setNaming] = useState(false);
  const { name, createdAt, lastUsedAt, isBackedUp } = passkey;
  const facts = [
    t.created(relativeTime(createdAt, now)),
    lastUsedAt ? t.used(relativeTime(lastUsedAt, now)) : t.unused,
    isBackedUp ? t.backedUp : t.oneDevice,
  ];
  if (isNaming) return <NameForm passkey={passkey} onEnd={() => setNaming(false)} />;
  return (
    <li>
      <Icon name="key" />
      <span className={styles.what}>
        <strong>{name}</strong>
        <span className={styles.facts}>{facts.join(' · ')}</span>
      </span>
      <Button isSmall aria-label={t.renameNamed(name)} onClick={() => setNaming(true)}>
        {t.rename}
      </Button>
      <Button isSmall aria-label={t.removeNamed(name)} onClick={onRemove}>
        {t.remove}
      </Button>
    </li>
  );
}

function NameForm({ passkey, onEnd }: { passkey: Passkey; onEnd: () => void }) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [name, setName] = useState(passkey.name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    client.passkeys
      .replace(passkey.id, { name: name.trim() })
      .then(() => refreshWays(queries))
      .then(onEnd, tellFailure);
  };
  return (
    <li>
      <form className={styles.row} onSubmit={submit}>
        <TextField label={t.name} value={name} maxLength={128} onChange={setName} />
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          {t.save}
        </Button>
        <Button onClick={onEnd}>{t.cancel}</Button>
      </form>
    </li>
  );
}
