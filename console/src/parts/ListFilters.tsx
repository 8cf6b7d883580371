import { useState } from 'react';
import { type ListSearch, listSearch } from '../lib/listSearch.ts';
import { facetOf, withFacet } from '../lib/selector.ts';
import { Button } from '../ui/Button.tsx';
import { SelectField, TextField } from '../ui/Field.tsx';
import page from '../ui/page.module.css';
import { texts } from './texts.ts';

interface Facet {
  field: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

interface ListFiltersProps {
  search: ListSearch;
  facets: readonly Facet[];
  /** An example of a selector. */
  hint: string;
  searchLabel?: string;
  isSelector: (text: string) => boolean;
  /** Sets the columns. */
  className?: string | undefined;
  onChange: (search: ListSearch) => void;
}

/** The filters of a list. They are in the address, so that a view can be shared. */
export function ListFilters({ search, facets, onChange, ...rest }: ListFiltersProps) {
  const { hint, isSelector, searchLabel = texts.search, className = page.filters } = rest;
  const { q, selector } = search;
  const set = (change: ListSearch) => onChange(listSearch({ ...search, ...change }));
  return (
    <search className={className}>
      <TextField label={searchLabel} type="search" value={q ?? ''} onChange={(text) => set({ q: text })} />
      {facets.map(({ field, label, options }) => (
        <SelectField
          key={field}
          label={label}
          value={facetOf(selector, field)}
          options={[{ value: '', label: texts.any }, ...options]}
          onChange={(value) => set({ selector: withFacet(selector, field, value) })}
        />
      ))}
      <SelectorField
        key={selector ?? ''}
        selector={selector ?? ''}
        hint={hint}
        isSelector={isSelector}
        onChange={(text) => set({ selector: text })}
      />
      {(q || selector) && (
        <Button look="quiet" icon="close" onClick={() => onChange({})}>
          {texts.clear}
        </Button>
      )}
    </search>
  );
}

interface SelectorFieldProps {
  selector: string;
  hint: string;
  isSelector: (text: string) => boolean;
  onChange: (selector: string) => void;
}

/** Takes effect when it is complete: half a selector selects nothing. */
function SelectorField({ selector, hint, isSelector, onChange }: SelectorFieldProps) {
  const [text, setText] = useState(selector);
  const apply = () => isSelector(text) && text !== selector && onChange(text.trim());
  return (
    <TextField
      label={texts.selector}
      value={text}
      placeholder={hint}
      error={isSelector(text) ? undefined : texts.selectorWrong}
      onChange={setText}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
