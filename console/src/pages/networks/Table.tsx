import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { stateOf } from './filter.ts';
import styles from './networks.module.css';
import { texts } from './texts.ts';

export function Table({ networks }: { networks: readonly Network[] }) {
  const now = useNow(30_000);
  // A row renders again only if its network or the time has changed.
  const shown = useMemo(() => columnsAt(now), [now]);
  return (
    <VirtualTable
      label={texts.title}
      columns={shown}
      rows={networks}
      idOf={({ id }) => id}
      className={styles.row}
    />
  );
}

function columnsAt(nowMs: number): Column<Network>[] {
  const { columns } = texts;
  return [
    {
      name: 'name',
      title: columns.name,
      render: ({ id, name }) => (
        <Link to="/networks/$id" params={{ id }} preload={false}>
          {name}
        </Link>
      ),
    },
    {
      name: 'state',
      title: columns.state,
      render: (network) => (
        <>
          <StateBadge state={stateOf(network)} />
          <Step network={network} />
        </>
      ),
    },
    { name: 'type', title: columns.type, render: ({ spec }) => spec.chain.type },
    {
      name: 'chainId',
      title: columns.chainId,
      render: ({ status }) => <span className={page.number}>{status?.chainID}</span>,
    },
    {
      name: 'created',
      title: columns.created,
      render: ({ metadata }) => (
        <span title={absoluteTime(metadata.createdAt)}>{relativeTime(metadata.createdAt, nowMs)}</span>
      ),
    },
  ];
}

/** How far the start of a network is. */
function Step({ network }: { network: Network }) {
  const { currentStep, totalSteps } = network.status?.execution ?? {};
  if (stateOf(network) !== 'Pending' || !totalSteps) return null;
  return <small className={styles.step}>{texts.step(currentStep ?? 0, totalSteps)}</small>;
}
