import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
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
  return <VirtualTable label={texts.title} columns={shown} rows={networks} idOf={({ id }) => id} />;
}

function columnsAt(nowMs: number): Column<Network>[] {
  const { columns } = texts;
  return [
    {
      name: 'name',
      title: columns.name,
      width: 'minmax(0, 2.4fr)',
      narrowWidth: 'minmax(0, 1fr)',
      compare: (a, b) => a.name.localeCompare(b.name),
      render: ({ id, name }) => (
        <Link to="/networks/$id" params={{ id }} preload={false}>
          {name}
        </Link>
      ),
    },
    {
      name: 'state',
      title: columns.state,
      width: 'minmax(144px, 1.6fr)',
      narrowWidth: '144px',
      compare: (a, b) => stateOf(a).localeCompare(stateOf(b)),
      render: (network) => (
        <>
          <StateBadge state={stateOf(network)} />
          <Step network={network} />
          <Since network={network} nowMs={nowMs} />
        </>
      ),
    },
    {
      name: 'type',
      title: columns.type,
      width: 'minmax(80px, 1fr)',
      compare: (a, b) => a.spec.chain.type.localeCompare(b.spec.chain.type),
      render: ({ spec }) => spec.chain.type,
    },
    {
      name: 'chainId',
      title: columns.chainId,
      width: 'minmax(80px, 1fr)',
      render: ({ status }) => <span className={page.number}>{status?.chainID}</span>,
    },
    {
      name: 'created',
      title: columns.created,
      width: 'minmax(80px, 1fr)',
      compare: (a, b) => (b.metadata.createdAt ?? '').localeCompare(a.metadata.createdAt ?? ''),
      render: ({ metadata }) => (
        <span title={absoluteTime(metadata.createdAt)}>{relativeTime(metadata.createdAt, nowMs)}</span>
      ),
    },
    {
      name: 'rpc',
      title: columns.rpc,
      width: '72px',
      render: ({ name, status }) =>
        status?.endpoints?.rpc && <CopyButton text={status.endpoints.rpc} label={texts.copyRpc(name)} />,
    },
  ];
}

/** Since when it is in its state. */
function Since({ network, nowMs }: { network: Network; nowMs: number }) {
  const since = network.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  if (since === undefined || stateOf(network) === 'Pending') return null;
  return (
    <small className={styles.step} title={absoluteTime(since)}>
      {relativeTime(since, nowMs)}
    </small>
  );
}

/** How far the start of a network is. */
function Step({ network }: { network: Network }) {
  const { currentStep, totalSteps } = network.status?.execution ?? {};
  if (stateOf(network) !== 'Pending' || !totalSteps) return null;
  return <small className={styles.step}>{texts.step(currentStep ?? 0, totalSteps)}</small>;
}
