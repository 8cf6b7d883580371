import { type FormEvent, useState } from 'react';
import { Button } from '../../../../console/src/ui/Button.tsx';
import { TextField } from '../../../../console/src/ui/Field.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import styles from './device.module.css';
import { codeText, lettersOf } from './search.ts';
import { texts } from './texts.ts';

/** Takes the code however it is written. */
export function CodeForm({ onEnter }: { onEnter: (code: string) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const letters = lettersOf(text);
    if (letters.length !== 8) return setError(texts.noCode);
    onEnter(codeText(letters));
  };
  return (
    <>
      <h1>{texts.title}</h1>
      <p className={styles.muted}>{texts.intro}</p>
      <form className={surface.cardForm} onSubmit={submit} noValidate>
        <TextField
          label={texts.code}
          hint={texts.codeHint}
          error={error}
          className={styles.codeInput}
          value={text}
          maxLength={16}
          autoCapitalize="characters"
          onChange={(value) => {
            setText(value);
            setError(undefined);
          }}
        />
        <Button type="submit" look="primary">
          {texts.next}
        </Button>
      </form>
    </>
  );
}
