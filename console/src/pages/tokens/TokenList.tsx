import { Link } from '@tanstack/react-router';
import type { Token } from '../../../../sdk/src/generated/types.ts';
import { relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { summaryOf } from './matrix.ts';
import { texts } from './texts.ts';
import styles from './tokens.module.css';

const { columns } = texts;

export function TokenList({ tokens }: { tokens: readonly Token[] }) {
  const now = useNow(30_000);
  const shown: Column<Token>[] = [
    {
      name: 'token',
      title: columns.token,
      width: 'minmax(0, 1fr)',
      narrowWidth: 'minmax(0, 1fr)',
      render: ({ id, symbol, name }) => (
        <>
          <Link to="/tokens/$id" params={{ id }}>
            {symbol}
          </Link>
          <small>{name}</small>
        </>
      ),
    },
    { name: 'type', title: columns.type, width: '120px', render: ({ type }) => type },
    {
      name: 'deployed',
      title: columns.deployed,
      width: '240px',
      narrowWidth: 'minmax(0, 1fr)',
      render: (token) => {
        const { done, all, state } = summaryOf(token);
        return (
          <>
            <StateBadge state={state} />
            <small>{texts.deployedOf(done, all)}</small>
          </>
        );
      },
    },
    {
      name: 'created',
      title: columns.created,
      width: '112px',
      render: ({ created_at }) => relativeTime(created_at, now),
    },
  ];
  return (
    <VirtualTable
      label={texts.title}
      columns={shown}
      rows={tokens}
      idOf={({ id }) => id}
      className={styles.listRow}
    />
  );
}
