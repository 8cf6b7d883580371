import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { StreamedCount, StreamedRows } from '../../parts/Streamed.tsx';
import { useLive, useMay } from '../../session/context.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { Filters } from './Filters.tsx';
import { FirstUse } from './FirstUse.tsx';
import { filterNetworks } from './filter.ts';
import styles from './networks.module.css';
import { Table } from './Table.tsx';
import { texts } from './texts.ts';

export function NetworksPage() {
  usePageTitle(texts.title);
  const live = useLive();
  if (!useMay('networks:read')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  const isFirstUse = live.isComplete && live.networks.size === 0;
  return (
    <>
      <div className={styles.title}>
        <h1>{texts.title}</h1>
        {!isFirstUse && <CreateLink />}
      </div>
      {isFirstUse ? <FirstUse /> : <List />}
    </>
  );
}

function List() {
  const { networks, revision } = useLive();
  const search = useSearch({ from: '/networks' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map stays the same, its revision tells of changes.
  const shown = useMemo(() => filterNetworks(networks.values(), search), [networks, revision, search]);
  return (
    <>
      <Filters />
      <p className={page.count} role="status">
        <StreamedCount count={texts.count(shown.length, networks.size)} />
      </p>
      <div className={surface.card}>
        <StreamedRows
          what={texts.title}
          isNone={shown.length === 0}
          none={<NoMatch />}
          loading={<Skeletons />}
        >
          <Table networks={shown} />
        </StreamedRows>
      </div>
    </>
  );
}

function Skeletons() {
  return (
    <div className={styles.skeletons} aria-hidden="true">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <div key={row} className={surface.skeleton} />
      ))}
    </div>
  );
}

function CreateLink() {
  if (!useMay('networks:write')) return null;
  return (
    <Link to="/networks/new" className={buttonClass({ look: 'primary' })}>
      <Icon name="plus" />
      {texts.create}
    </Link>
  );
}

function NoMatch() {
  const navigate = useNavigate({ from: '/networks' });
  return (
    <Empty icon="search" title={texts.noneTitle} text={texts.noneText}>
      <Button onClick={() => void navigate({ search: {} })}>{texts.clear}</Button>
    </Empty>
  );
}
