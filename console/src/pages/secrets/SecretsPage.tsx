import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Secret } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { isSelectorFor } from '../../lib/listFilter.ts';
import { ListFilters } from '../../parts/ListFilters.tsx';
import { StreamedCount, StreamedRows } from '../../parts/Streamed.tsx';
import { texts as partTexts } from '../../parts/texts.ts';
import { useKind, useMay, useStream } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Empty } from '../../ui/Empty.tsx';
import page from '../../ui/page.module.css';
import surface from '../../ui/surface.module.css';
import { SecretForm } from './SecretForm.tsx';
import { SecretTable } from './SecretTable.tsx';
import { filterSecrets, selectableSecrets } from './secrets.ts';
import { texts } from './texts.ts';

/** The form for a new secret, or for one that replaces `secret`. */
type Form = { secret?: Secret } | undefined;

export function SecretsPage() {
  usePageTitle(texts.title);
  const { objects } = useKind('secret');
  const { isComplete } = useStream();
  const mayWrite = useMay('secrets:write');
  const [form, setForm] = useState<Form>();
  if (!useMay('secrets:read')) {
    return <Empty isPage icon="key" title={texts.forbiddenTitle} text={texts.forbiddenText} />;
  }
  const isFirstUse = isComplete && objects.size === 0;
  const create = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => setForm({})}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <div className={page.head}>
        <h1>{texts.title}</h1>
        {!isFirstUse && create}
      </div>
      <Dialog
        title={form?.secret ? texts.replaceTitle(form.secret.name) : texts.create}
        text={form?.secret && texts.replaceHint}
        isOpen={form !== undefined}
        isWide
        onClose={() => setForm(undefined)}
      >
        <SecretForm replaced={form?.secret} onClose={() => setForm(undefined)} />
      </Dialog>
      {!isFirstUse && <List onReplace={(secret) => setForm({ secret })} />}
      {isFirstUse && (
        <div className={surface.card}>
          <Empty icon="key" title={texts.emptyTitle} text={mayWrite ? texts.emptyText : texts.emptyReader}>
            {create}
          </Empty>
        </div>
      )}
    </>
  );
}

function List({ onReplace }: { onReplace: (secret: Secret) => void }) {
  const { objects, revision } = useKind('secret');
  const search = useSearch({ from: '/secrets' });
  const navigate = useNavigate({ from: '/secrets' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map stays the same, its revision tells of changes.
  const shown = useMemo(() => filterSecrets(objects.values(), search), [objects, revision, search]);
  const types = [...new Set([...objects.values()].map(({ type }) => type))].sort();
  return (
    <>
      <ListFilters
        search={search}
        facets={[
          { field: 'type', label: texts.type, options: types.map((value) => ({ value, label: value })) },
        ]}
        hint={texts.selectorHint}
        isSelector={(text) => isSelectorFor(selectableSecrets, text)}
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
          <SecretTable secrets={shown} onReplace={onReplace} />
        </StreamedRows>
      </div>
    </>
  );
}
