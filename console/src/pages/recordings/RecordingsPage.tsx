import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Recording } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { isSelectorFor } from '../../lib/listFilter.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { ListFilters } from '../../parts/ListFilters.tsx';
import { AddressText, useNetworkName } from '../../parts/links.tsx';
import { StreamedCount, StreamedRows } from '../../parts/Streamed.tsx';
import { texts as partTexts } from '../../parts/texts.ts';
import { useKind, useMay, useStream } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { countOf, filterRecordings, selectableRecordings } from './recordings.ts';
import { StartForm } from './StartForm.tsx';
import { texts } from './texts.ts';

export function RecordingsPage() {
  usePageTitle(texts.title);
  const { objects } = useKind('recording');
  const { isComplete } = useStream();
  const mayWrite = useMay('recordings:write');
  const [isStarting, setStarting] = useState(false);
  if (!useMay('recordings:read')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  const start = mayWrite && (
    <Button look="primary" icon="record" onClick={() => setStarting(true)}>
      {texts.start}
    </Button>
  );
  const isFirstUse = isComplete && objects.size === 0;
  return (
    <>
      <div className={page.head}>
        <h1>{texts.title}</h1>
        {!isFirstUse && start}
      </div>
      <Dialog title={texts.start} isOpen={isStarting} isWide onClose={() => setStarting(false)}>
        <StartForm onClose={() => setStarting(false)} />
      </Dialog>
      {!isFirstUse && <List />}
      {isFirstUse && (
        <div className={surface.card}>
          <Empty icon="record" title={texts.emptyTitle} text={mayWrite ? texts.emptyText : texts.emptyReader}>
            {start}
          </Empty>
        </div>
      )}
    </>
  );
}

function List() {
  const { objects, revision } = useKind('recording');
  const search = useSearch({ from: '/recordings' });
  const navigate = useNavigate({ from: '/recordings' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map stays the same, its revision tells of changes.
  const shown = useMemo(() => filterRecordings(objects.values(), search), [objects, revision, search]);
  return (
    <>
      <ListFilters
        search={search}
        searchLabel={texts.search}
        facets={[]}
        hint={texts.selectorHint}
        isSelector={(text) => isSelectorFor(selectableRecordings, text)}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <p className={page.count} role="status">
        <StreamedCount count={texts.count(shown.length, objects.size)} />
      </p>
      <div className={surface.card}>
        <StreamedRows
          what={texts.title}
          isNone={shown.length === 0}
          none={<Empty icon="search" title={partTexts.noneTitle} text={partTexts.noneText} />}
        >
          <Table recordings={shown} />
        </StreamedRows>
      </div>
    </>
  );
}

function Table({ recordings }: { recordings: readonly Recording[] }) {
  const nameOf = useNetworkName();
  const now = useNow(30_000);
  const { columns } = texts;
  const shown: Column<Recording>[] = [
    {
      name: 'name',
      title: columns.name,
      width: 'minmax(0, 1fr)',
      narrowWidth: 'minmax(0, 1fr)',
      render: ({ id, name = id }) => (
        <Link to="/recordings/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    {
      name: 'wallet',
      title: columns.wallet,
      width: '148px',
      render: ({ user_address }) => <AddressText address={user_address} />,
    },
    {
      name: 'state',
      title: columns.state,
      width: '110px',
      narrowWidth: '120px',
      render: ({ state }) => <StateBadge state={state} />,
    },
    {
      name: 'transactions',
      title: columns.transactions,
      width: '100px',
      narrowWidth: '96px',
      render: (one) => <span className={page.number}>{countOf(one)}</span>,
    },
    {
      name: 'networks',
      title: columns.networks,
      width: 'minmax(0, 1fr)',
      render: ({ network_ids }) => network_ids.map(nameOf).join(', '),
    },
    {
      name: 'started',
      title: columns.started,
      width: '112px',
      render: ({ start_timestamp, created_at }) => (
        <span title={absoluteTime(start_timestamp ?? created_at)}>
          {relativeTime(start_timestamp ?? created_at, now)}
        </span>
      ),
    },
  ];
  return <VirtualTable label={texts.title} columns={shown} rows={recordings} idOf={({ id }) => id} />;
}
