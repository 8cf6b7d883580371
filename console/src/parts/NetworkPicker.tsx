import { useState } from 'react';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { isSelector } from '../pages/networks/filter.ts';
import { useStream } from '../session/context.tsx';
import controls from '../ui/controls.module.css';
import { CheckField, SelectField, TextField } from '../ui/Field.tsx';
import page from '../ui/page.module.css';
import { chosenOf, type NetworkChoice } from './choice.ts';
import { NotStreamed } from './Streamed.tsx';
import { texts } from './texts.ts';

interface NetworkPickerProps {
  networks: readonly Network[];
  choice: NetworkChoice;
  error?: string | undefined;
  onChange: (choice: NetworkChoice) => void;
}

/** Some of the networks: from the list, or by a selector. */
export function NetworkPicker({ networks, choice, error, onChange }: NetworkPickerProps) {
  const set = (change: Partial<NetworkChoice>) => onChange({ ...choice, ...change });
  return (
    <fieldset className={page.wide} tabIndex={-1} aria-invalid={error ? true : undefined}>
      <legend className={controls.visuallyHidden}>{texts.networks}</legend>
      <SelectField
        label={texts.how}
        value={choice.mode}
        options={[
          { value: 'list', label: texts.byList },
          { value: 'selector', label: texts.bySelector },
        ]}
        onChange={(value) => set({ mode: value === 'selector' ? 'selector' : 'list' })}
      />
      {choice.mode === 'list' ? (
        <Checks networks={networks} ids={choice.ids} onChange={(ids) => set({ ids })} />
      ) : (
        <TextField
          label={texts.selector}
          value={choice.selector}
          placeholder={texts.selectorHint}
          error={isSelector(choice.selector) ? undefined : texts.selectorWrong}
          onChange={(selector) => set({ selector })}
        />
      )}
      <p className={controls.hint} role="status">
        {texts.selected(
          chosenOf(networks, choice).map(({ name }) => name),
          choice.mode === 'list',
        )}
      </p>
      {error && (
        <p className={controls.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface ChecksProps {
  networks: readonly Network[];
  ids: readonly string[];
  onChange: (ids: string[]) => void;
}

const maxWithoutSearch = 12;
const maxShown = 200;

function Checks({ networks, ids, onChange }: ChecksProps) {
  const [part, setPart] = useState('');
  const { isComplete } = useStream();
  if (networks.length === 0) {
    if (!isComplete) return <NotStreamed what={texts.theNetworks} />;
    return <p className={controls.hint}>{texts.none}</p>;
  }
  const found = networks.filter(({ id, name }) => ids.includes(id) || name.includes(part.toLowerCase()));
  const choose = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...ids, id] : ids.filter((one) => one !== id));
  return (
    <>
      {networks.length > maxWithoutSearch && (
        <TextField label={texts.find} type="search" value={part} onChange={setPart} />
      )}
      <div className={page.checks}>
        {found.slice(0, maxShown).map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            isChecked={ids.includes(id)}
            onChange={(isChosen) => choose(id, isChosen)}
          />
        ))}
      </div>
      {found.length > maxShown && <p className={controls.hint}>{texts.more(found.length - maxShown)}</p>}
      {found.length === 0 && <p className={controls.hint}>{texts.noneFound}</p>}
    </>
  );
}
