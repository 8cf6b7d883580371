import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Token } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { isSelectorFor } from '../../lib/listFilter.ts';
import { narrow, useMedia } from '../../lib/useMedia.ts';
import { ListFilters } from '../../parts/ListFilters.tsx';
import { StreamedCount, StreamedRows } from '../../parts/Streamed.tsx';
import { texts as partTexts } from '../../parts/texts.ts';
import { useKind, useMay, useStream } from '../../session/context.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { Matrix } from './Matrix.tsx';
import { filterTokens, selectableTokens } from './matrix.ts';
import type { TokensSearch } from './search.ts';
import { TokenList } from './TokenList.tsx';
import { texts } from './texts.ts';
import styles from './tokens.module.css';

export function TokensPage() {
  usePageTitle(texts.title);
  const { objects } = useKind('token');
  const { isComplete } = useStream();
  const isFirstUse = isComplete && objects.size === 0;
  if (!useMay('tokens:read')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  return (
    <>
      <div className={page.head}>
        <h1>{texts.title}</h1>
        {!isFirstUse && <DeployLink />}
      </div>
      {isFirstUse ? <FirstUse /> : <List />}
    </>
  );
}

function DeployLink() {
  if (!useMay('tokens:write')) return null;
  return (
    <Link to="/tokens/new" className={buttonClass({ look: 'primary' })}>
      <Icon name="plus" />
      {texts.deploy}
    </Link>
  );
}

function FirstUse() {
  const mayDeploy = useMay('tokens:write');
  return (
    <div className={surface.card}>
      <Empty icon="coins" title={texts.emptyTitle} text={mayDeploy ? texts.emptyText : texts.emptyReader}>
        <DeployLink />
      </Empty>
    </div>
  );
}

const types = ['ERC20', 'ERC3643', 'CCT', 'OFT'].map((value) => ({ value, label: value }));

function List() {
  const { objects, revision } = useKind('token');
  const search = useSearch({ from: '/tokens' });
  const navigate = useNavigate({ from: '/tokens' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map stays the same, its revision tells of changes.
  const shown = useMemo(() => filterTokens(objects.values(), search), [objects, revision, search]);
  const set = (next: TokensSearch) => void navigate({ search: next, replace: true });
  const view = search.view ? { view: search.view } : {};
  return (
    <>
      <ListFilters
        search={search}
        facets={[{ field: 'type', label: texts.type, options: types }]}
        hint={texts.selectorHint}
        isSelector={(text) => isSelectorFor(selectableTokens, text)}
        onChange={(next) => set({ ...next, ...view })}
      />
      <div className={styles.countLine}>
        <p role="status">
          <StreamedCount count={texts.count(shown.length, objects.size)} />
        </p>
        <Views search={search} onChange={set} />
      </div>
      <div className={surface.card}>
        <Shown tokens={shown} isList={search.view === 'list'} />
      </div>
    </>
  );
}

function Shown({ tokens, isList }: { tokens: readonly Token[]; isList: boolean }) {
  const isNarrow = useMedia(narrow);
  return (
    <StreamedRows
      what={texts.title}
      isNone={tokens.length === 0}
      none={<Empty icon="search" title={partTexts.noneTitle} text={partTexts.noneText} />}
    >
      {isList || isNarrow ? <TokenList tokens={tokens} /> : <Matrix tokens={tokens} />}
    </StreamedRows>
  );
}

function Views({ search, onChange }: { search: TokensSearch; onChange: (search: TokensSearch) => void }) {
  const { view, ...rest } = search;
  return (
    <fieldset className={`${page.wide} ${styles.views}`} aria-label={texts.views}>
      <Button isSmall look="quiet" aria-pressed={!view} onClick={() => onChange(rest)}>
        {texts.matrix}
      </Button>
      <Button
        isSmall
        look="quiet"
        aria-pressed={view === 'list'}
        onClick={() => onChange({ ...rest, view: 'list' })}
      >
        {texts.list}
      </Button>
    </fieldset>
  );
}
