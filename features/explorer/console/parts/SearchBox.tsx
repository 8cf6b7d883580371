import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../../console/src/ui/Button.tsx';
import controls from '../../../../console/src/ui/controls.module.css';
import { useExplored } from '../context.tsx';
import styles from '../explorer.module.css';
import { targetsOf } from '../search/targets.ts';
import { texts } from '../texts.ts';

/** Goes to what a text names. */
export function SearchBox() {
  const { network, family } = useExplored();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const search = (event: FormEvent) => {
    event.preventDefault();
    const [target] = targetsOf(family, text);
    setWrong(!target);
    if (!target) return;
    setText('');
    void navigate({ to: '/networks/$id/explorer/$kind/$value', params: { id: network.id, ...target } });
  };
  return (
    <search className={styles.search}>
      <form onSubmit={search}>
        <input
          type="search"
          className={controls.input}
          aria-label={texts.searchHint[family]}
          placeholder={texts.searchHint[family]}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? id : undefined}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setWrong(false);
          }}
        />
        <Button type="submit" icon="search">
          {texts.search}
        </Button>
      </form>
      {isWrong && (
        <p id={id} className={controls.error} role="alert">
          {texts.searchWrong[family]}
        </p>
      )}
    </search>
  );
}
