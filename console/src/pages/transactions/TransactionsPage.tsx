import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Submission } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { isSelectorFor } from '../../lib/listFilter.ts';
import { evmNetworks } from '../../parts/choice.ts';
import { ListFilters } from '../../parts/ListFilters.tsx';
import { texts as partTexts } from '../../parts/texts.ts';
import { useInside, useKind, useMay } from '../../session/context.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Failed } from '../../ui/Loaded.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { texts as uiTexts } from '../../ui/texts.ts';
import { Queues } from './Queues.tsx';
import { filterSubmissions, merged, selectableSubmissions } from './submissions.ts';
import { TransactionTable } from './TransactionTable.tsx';
import { texts } from './texts.ts';

export function TransactionsPage() {
  usePageTitle(texts.title);
  if (!useMay('transactions:read')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  return (
    <>
      <div className={page.head}>
        <h1>{texts.title}</h1>
        <SubmitLink />
      </div>
      <Queues />
      <List />
    </>
  );
}

function SubmitLink() {
  if (!useMay('transactions:write')) return null;
  return (
    <Link to="/transactions/new" className={buttonClass({ look: 'primary' })}>
      <Icon name="send" />
      {texts.submit}
    </Link>
  );
}

const maxListed = 1_000;

/** What was submitted before this tab was opened; events tell the rest. */
async function listSubmissions(client: Client, selector: string | undefined, signal: AbortSignal) {
  const found: Submission[] = [];
  for await (const one of client.transactions.listAll({ selector, limit: 500 }, { signal })) {
    found.push(one);
    if (found.length >= maxListed) break;
  }
  return found;
}

const states = (['accepted', 'broadcast', 'mined', 'failed', 'dropped'] as const).map((value) => ({
  value,
  label: uiTexts.states[value],
}));

function List() {
  const { client } = useInside();
  const search = useSearch({ from: '/transactions' });
  const navigate = useNavigate({ from: '/transactions' });
  const networks = evmNetworks(useKind('network').objects.values());
  const { objects, revision } = useKind('transaction');
  const isSelector = (text: string) => isSelectorFor(selectableSubmissions, text);
  const query = useQuery({
    queryKey: ['submissions', search.selector],
    enabled: isSelector(search.selector ?? ''),
    queryFn: ({ signal }) => listSubmissions(client, search.selector, signal),
  });
  const { data, error } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map stays the same, its revision tells of changes.
  const shown = useMemo(
    () => filterSubmissions(merged(data ?? [], objects.values()), search),
    [data, objects, revision, search],
  );
  return (
    <>
      <ListFilters
        search={search}
        searchLabel={texts.searchHash}
        facets={[
          { field: 'state', label: texts.state, options: states },
          {
            field: 'network_id',
            label: texts.network,
            options: networks.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        hint={texts.selectorHint}
        isSelector={isSelector}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      <p className={page.count} role="status">
        {data ? texts.count(shown.length) : !error && partTexts.loading}{' '}
        {data && data.length >= maxListed && texts.bounded(maxListed)}
      </p>
      {error && <Failed query={query} />}
      <div className={surface.card}>
        {data && shown.length === 0 ? (
          <NothingShown isFiltered={Boolean(search.q || search.selector)} />
        ) : (
          <TransactionTable submissions={shown} />
        )}
      </div>
    </>
  );
}

function NothingShown({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty icon="search" title={partTexts.noneTitle} text={partTexts.noneText} />;
  return (
    <Empty icon="send" title={texts.emptyTitle} text={texts.emptyText}>
      <SubmitLink />
    </Empty>
  );
}
