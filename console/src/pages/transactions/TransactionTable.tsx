import type { Submission } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { HashLink, NetworkLink, OnChainLink } from '../../parts/links.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { keyOf } from './submissions.ts';
import { texts } from './texts.ts';
import styles from './transactions.module.css';

const { columns } = texts;

export function TransactionTable({ submissions }: { submissions: readonly Submission[] }) {
  const now = useNow(30_000);
  const shown: Column<Submission>[] = [
    {
      name: 'hash',
      title: columns.hash,
      width: 'minmax(132px, 210px)',
      narrowWidth: '132px',
      render: ({ network_id, hash }) => <HashLink network={network_id} hash={hash} />,
    },
    {
      name: 'state',
      title: columns.state,
      width: 'minmax(84px, 1fr)',
      narrowWidth: 'minmax(0, 1fr)',
      render: ({ state, message, contract_address }) => {
        const note = message || (contract_address && texts.wrote(contract_address));
        return (
          <span className={styles.state} title={note}>
            <StateBadge state={state} />
            {note && <small>{note}</small>}
          </span>
        );
      },
    },
    {
      name: 'network',
      title: columns.network,
      width: 'minmax(88px, 140px)',
      narrowWidth: '84px',
      render: ({ network_id }) => <NetworkLink id={network_id} />,
    },
    {
      name: 'from',
      title: columns.from,
      width: 'minmax(96px, 150px)',
      render: ({ network_id, from }) => (
        <span className={styles.mono} title={from}>
          <OnChainLink network={network_id} kind="address" value={from} />
        </span>
      ),
    },
    { name: 'nonce', title: columns.nonce, width: '60px', render: ({ nonce }) => nonce },
    {
      name: 'at',
      title: columns.at,
      width: 'minmax(80px, 104px)',
      render: ({ accepted_at }) => (
        <time dateTime={accepted_at} title={absoluteTime(accepted_at)}>
          {relativeTime(accepted_at, now)}
        </time>
      ),
    },
  ];
  return <VirtualTable label={texts.title} columns={shown} rows={submissions} idOf={keyOf} />;
}
