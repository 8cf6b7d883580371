import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currencyOf } from '../../../../sdk/src/currency.ts';
import type { RecordedTransaction, Recording } from '../../../../sdk/src/generated/types.ts';
import { fromSmallestUnits } from '../../lib/units.ts';
import { Address, HashLink, NetworkLink, OnChainLink } from '../../parts/links.tsx';
import { Section } from '../../parts/Section.tsx';
import { useInside, useKind } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { countOf } from '../recordings/recordings.ts';
import { notesOf } from './compare.ts';
import styles from './recording.module.css';
import { texts } from './texts.ts';

/** More are loaded when they are asked for: they may be megabytes. */
const shownAtOnce = 200;

interface Row {
  network: string;
  transaction: RecordedTransaction;
}

/** What was recorded, network by network in the order of the blocks. */
export function Recorded({ recording }: { recording: Recording }) {
  const count = countOf(recording);
  const [isWanted, setWanted] = useState(false);
  if (count === 0) return null;
  return (
    <Section title={texts.recorded} isPlain>
      {isWanted || count <= shownAtOnce ? (
        <Transactions id={recording.id} count={count} />
      ) : (
        <div className={surface.cardBody}>
          <Button onClick={() => setWanted(true)}>{texts.showRecorded(count)}</Button>
        </div>
      )}
    </Section>
  );
}

function Transactions({ id, count }: { id: string; count: number }) {
  const { client } = useInside();
  const query = useQuery({
    queryKey: ['recorded', id, count],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => rowsOf(await client.recordings.get(id, { signal })),
  });
  return (
    <Loaded query={query}>
      {(rows) => (
        <VirtualTable
          label={texts.recorded}
          columns={columns}
          rows={rows}
          idOf={({ network, transaction }) => `${network}/${transaction.hash}`}
          className={styles.row}
        />
      )}
    </Loaded>
  );
}

function rowsOf({ recorded_data }: Recording): Row[] {
  return Object.entries(recorded_data?.networks ?? {}).flatMap(([network, { transactions }]) =>
    transactions.map((transaction) => ({ network, transaction })),
  );
}

const columns: Column<Row>[] = [
  {
    name: 'hash',
    title: texts.columnsOfRecorded.hash,
    width: 'minmax(132px, 200px)',
    narrowWidth: 'minmax(0, 1fr)',
    render: ({ network, transaction }) => <HashLink network={network} hash={transaction.hash} />,
  },
  {
    name: 'network',
    title: texts.columns.network,
    width: 'minmax(0, 1fr)',
    render: ({ network }) => <NetworkLink id={network} />,
  },
  {
    name: 'block',
    title: texts.columnsOfRecorded.block,
    width: '80px',
    render: ({ network, transaction }) => (
      <span className={page.number}>
        <OnChainLink network={network} kind="block" value={String(transaction.block)} />
      </span>
    ),
  },
  {
    name: 'to',
    title: texts.columnsOfRecorded.to,
    width: 'minmax(0, 2fr)',
    narrowWidth: 'minmax(0, 1fr)',
    render: (row) => <Target {...row} />,
  },
  {
    name: 'value',
    title: texts.columnsOfRecorded.value,
    width: 'minmax(0, 1fr)',
    render: ({ network, transaction }) => <Value network={network} wei={transaction.value} />,
  },
  {
    name: 'status',
    title: texts.columnsOfRecorded.status,
    width: '112px',
    narrowWidth: '92px',
    render: ({ transaction }) => <StateBadge state={transaction.status} />,
  },
];

/** What it pays, in the coin of its network as long as that is there. */
function Value({ network, wei }: { network: string; wei: string }) {
  const type = useKind('network').objects.get(network)?.spec.chain.type;
  return (
    <span className={page.number}>
      {fromSmallestUnits(wei, 18)} {type !== undefined && currencyOf(type).symbol}
    </span>
  );
}

/** Whom it is for, or what it created, and which function it calls. */
function Target({ network, transaction }: Row) {
  const { to, data } = transaction;
  const notes = notesOf(transaction);
  const selector = to !== undefined && data.length >= 10 ? data.slice(0, 10) : undefined;
  return (
    <span>
      {to !== undefined && <Address network={network} address={to} />}
      {selector !== undefined && (
        <small className={page.mono} title={texts.selector}>
          {selector}
        </small>
      )}
      {notes.length > 0 && <small>{notes.join(', ')}</small>}
    </span>
  );
}
