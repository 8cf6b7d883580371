import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { chainTypes } from '../../lib/chains.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { texts as uiTexts } from '../../ui/texts.ts';
import { facetOf, isSelector, withFacet } from './filter.ts';
import styles from './networks.module.css';
import type { NetworksSearch } from './search.ts';
import { texts } from './texts.ts';

const states = ['Pending', 'Operational', 'Stopping', 'Stopped', 'Error'] as const;
const stateOptions = states.map((value) => ({ value, label: uiTexts.states[value] }));
const typeOptions = chainTypes.map((value) => ({ value, label: value }));
const withAny = (options: { value: string; label: string }[]) => [
  { value: '', label: texts.any },
  ...options,
];
const stateField = 'status.state';
const typeField = 'spec.chain.type';

/** The filters are in the address, so that a view can be shared. */
export function Filters() {
  const search = useSearch({ from: '/networks' });
  const navigate = useNavigate({ from: '/networks' });
  const set = (change: NetworksSearch) =>
    void navigate({ search: clean({ ...search, ...change }), replace: true });
  const choose = (field: string) => (value: string) =>
    set({ selector: withFacet(search.selector, field, value) });
  const isFiltered = Boolean(search.q || search.selector);
  return (
    <search className={styles.filters}>
      <TextField label={texts.search} type="search" value={search.q ?? ''} onChange={(q) => set({ q })} />
      <SelectField
        label={texts.state}
        value={facetOf(search.selector, stateField)}
        options={withAny(stateOptions)}
        onChange={choose(stateField)}
      />
      <SelectField
        label={texts.type}
        value={facetOf(search.selector, typeField)}
        options={withAny(typeOptions)}
        onChange={choose(typeField)}
      />
      <SelectorField key={search.selector ?? ''} selector={search.selector ?? ''} onChange={set} />
      {isFiltered && (
        <Button look="quiet" icon="close" onClick={() => set({ q: '', selector: '' })}>
          {texts.clear}
        </Button>
      )}
    </search>
  );
}

const clean = ({ q, selector }: NetworksSearch): NetworksSearch => ({
  ...(q ? { q } : {}),
  ...(selector ? { selector } : {}),
});

interface SelectorFieldProps {
  selector: string;
  onChange: (change: NetworksSearch) => void;
}

/** Takes effect when it is complete: half a selector selects nothing. */
function SelectorField({ selector, onChange }: SelectorFieldProps) {
  const [text, setText] = useState(selector);
  const apply = () => isSelector(text) && text !== selector && onChange({ selector: text.trim() });
  return (
    <TextField
      label={texts.selector}
      value={text}
      placeholder={texts.selectorHint}
      error={isSelector(text) ? undefined : texts.selectorWrong}
      onChange={setText}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
