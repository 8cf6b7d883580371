import { useNavigate, useSearch } from '@tanstack/react-router';
import { chainTypes } from '../../lib/chains.ts';
import { ListFilters } from '../../parts/ListFilters.tsx';
import { texts as uiTexts } from '../../ui/texts.ts';
import { isSelector } from './filter.ts';
import styles from './networks.module.css';
import { texts } from './texts.ts';

const states = ['Pending', 'Operational', 'Stopping', 'Stopped', 'Error'] as const;
const facets = [
  {
    field: 'status.state',
    label: texts.state,
    options: states.map((value) => ({ value, label: uiTexts.states[value] })),
  },
  {
    field: 'spec.chain.type',
    label: texts.type,
    options: chainTypes.map((value) => ({ value, label: value })),
  },
];

export function Filters() {
  const search = useSearch({ from: '/networks' });
  const navigate = useNavigate({ from: '/networks' });
  return (
    <ListFilters
      search={search}
      facets={facets}
      hint={texts.selectorHint}
      isSelector={isSelector}
      className={styles.filters}
      onChange={(next) => void navigate({ search: next, replace: true })}
    />
  );
}
