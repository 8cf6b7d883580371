import { useMemo, useState } from 'react';
import type { RecordedTransaction } from '../../../../sdk/src/generated/types.ts';
import { HashLink, shortHex, useNetworkName } from '../../parts/links.tsx';
import { Section } from '../../parts/Section.tsx';
import controls from '../../ui/controls.module.css';
import { CheckField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { notesOf, type Pair, pairsOf } from './compare.ts';
import styles from './recording.module.css';
import { texts } from './texts.ts';
import type { Outcome } from './useReplay.ts';

const maxDifferences = 50;

/** What was recorded beside what the replay did. */
export function Comparison({ outcome: { response, document } }: { outcome: Outcome }) {
  const pairs = useMemo(() => pairsOf(document, response), [document, response]);
  const [isOnlyDifferent, setOnlyDifferent] = useState(false);
  const different = pairs.filter(({ replayed }) => !replayed.match);
  const title = response.success
    ? texts.allMatch(pairs.length)
    : texts.notAll(different.length, pairs.length);
  return (
    <Section title={texts.compare} isPlain>
      <div className={styles.summary}>
        <strong role="status">{title}</strong>
        {different.length > 0 && (
          <CheckField label={texts.onlyDifferent} isChecked={isOnlyDifferent} onChange={setOnlyDifferent} />
        )}
      </div>
      <Differences pairs={different} />
      <VirtualTable
        label={texts.compare}
        columns={columns}
        rows={isOnlyDifferent ? different : pairs}
        idOf={({ key }) => key}
        className={styles.row}
      />
    </Section>
  );
}

/** Each difference in full, for as many as one reads. */
function Differences({ pairs }: { pairs: readonly Pair[] }) {
  const nameOf = useNetworkName();
  if (pairs.length === 0) return null;
  return (
    <ul className={styles.different} aria-label={texts.differences}>
      {pairs.slice(0, maxDifferences).map(({ key, network, replayed }) => (
        <li key={key}>
          <span className={page.mono}>{shortHex(replayed.original_hash)}</span> ({nameOf(network)}):{' '}
          {replayed.differences?.join('; ') ?? replayed.status}
        </li>
      ))}
    </ul>
  );
}

function Notes({ of }: { of: RecordedTransaction }) {
  const notes = notesOf(of);
  return notes.length > 0 && <small>{notes.join(', ')}</small>;
}

const columns: Column<Pair>[] = [
  {
    name: 'original',
    title: texts.outcome.original,
    width: 'minmax(132px, 260px)',
    narrowWidth: 'minmax(0, 1fr)',
    render: ({ original, replayed }) => (
      <span className={page.mono} title={replayed.original_hash}>
        {shortHex(replayed.original_hash)}
        {original && <Notes of={original} />}
      </span>
    ),
  },
  {
    name: 'was',
    title: texts.outcome.was,
    width: '112px',
    render: ({ original }) => original && <StateBadge state={original.status} />,
  },
  {
    name: 'replayed',
    title: texts.outcome.replayed,
    width: 'minmax(132px, 170px)',
    narrowWidth: 'minmax(0, 1fr)',
    render: ({ network, replayed }) =>
      replayed.hash ? <HashLink network={network} hash={replayed.hash} /> : texts.notSent,
  },
  {
    name: 'is',
    title: texts.outcome.is,
    width: '112px',
    render: ({ replayed }) => <StateBadge state={replayed.status} />,
  },
  {
    name: 'match',
    title: texts.outcome.match,
    width: 'minmax(0, 1fr)',
    narrowWidth: '92px',
    render: ({ replayed: { match, differences = [] } }) => (
      <span title={differences.join('; ')}>
        <span className={`${controls.badge} ${match ? controls.good : controls.bad}`}>
          <Icon name={match ? 'check' : 'alert'} />
          {match ? texts.matches : texts.differs}
        </span>
        {differences.length > 0 && <small>{differences.join('; ')}</small>}
      </span>
    ),
  },
];
