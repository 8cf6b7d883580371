import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTitle } from '../../../console/src/app/usePageTitle.ts';
import { listSearch } from '../../../console/src/lib/listSearch.ts';
import { useMay } from '../../../console/src/session/context.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Confirm } from '../../../console/src/ui/Confirm.tsx';
import { CopyButton } from '../../../console/src/ui/CopyButton.tsx';
import { type Column, DataTable } from '../../../console/src/ui/DataTable.tsx';
import { Empty } from '../../../console/src/ui/Empty.tsx';
import { TextField } from '../../../console/src/ui/Field.tsx';
import { ListCard } from '../../../console/src/ui/ListCard.tsx';
import page from '../../../console/src/ui/page.module.css';
import surface from '../../../console/src/ui/surface.module.css';
import type { AddressName } from '../../../sdk/src/generated/types.ts';
import { AddressDialog } from './AddressDialog.tsx';
import { matching } from './book.ts';
import { useRemoval } from './changes.ts';
import { useBook } from './names.ts';
import { texts } from './texts.ts';

export function AddressBookPage() {
  usePageTitle(texts.title);
  const book = useBook();
  const mayWrite = useMay('networks:write');
  const none = mayWrite ? texts.none : texts.noneReader;
  return (
    <>
      <p className={page.lead}>{texts.text}</p>
      <ListCard
        title={texts.title}
        query={book}
        empty={{ icon: 'user', title: texts.noneTitle, text: none }}
        create={mayWrite && { label: texts.create, Dialog: AddressDialog }}
      >
        {(entries) => <List entries={entries} mayWrite={mayWrite} />}
      </ListCard>
    </>
  );
}

interface ListProps {
  entries: readonly AddressName[];
  mayWrite: boolean;
}

function List({ entries, mayWrite }: ListProps) {
  const { q = '' } = useSearch({ from: '/settings/addresses' });
  const navigate = useNavigate({ from: '/settings/addresses' });
  const shown = matching(entries, q);
  return (
    <>
      <search className={surface.cardBody}>
        <TextField
          label={texts.search}
          type="search"
          value={q}
          onChange={(text) => void navigate({ search: listSearch({ q: text }), replace: true })}
        />
        <p className={page.muted} role="status">
          {texts.count(shown.length, entries.length)}
        </p>
      </search>
      {shown.length === 0 ? (
        <Empty icon="search" title={texts.noMatch} text={texts.noMatchText} />
      ) : (
        <Table entries={shown} mayWrite={mayWrite} />
      )}
    </>
  );
}

function Table({ entries, mayWrite }: ListProps) {
  const [renamed, setRenamed] = useState<AddressName>();
  const { question, ask, close } = useRemoval();
  const actions: Column<AddressName> = {
    label: texts.actions,
    isAction: true,
    cell: (entry) => (
      <span className={page.actions}>
        <Button
          isSmall
          look="quiet"
          aria-label={`${texts.rename}: ${entry.name}`}
          onClick={() => setRenamed(entry)}
        >
          {texts.rename}
        </Button>
        <Button isSmall look="quiet" aria-label={`${texts.remove}: ${entry.name}`} onClick={() => ask(entry)}>
          {texts.remove}
        </Button>
      </span>
    ),
  };
  return (
    <>
      <DataTable
        label={texts.title}
        columns={mayWrite ? [...columns, actions] : columns}
        rows={entries}
        keyOf={({ address }) => address}
      />
      <AddressDialog entry={renamed} isOpen={renamed !== undefined} onClose={() => setRenamed(undefined)} />
      <Confirm question={question} onClose={close} />
    </>
  );
}

const columns: readonly Column<AddressName>[] = [
  { label: texts.name, isMain: true, cell: ({ name }) => <strong>{name}</strong> },
  {
    label: texts.address,
    cell: ({ address, name }) => (
      <span className={page.copied} title={address}>
        <span>{address}</span>
        <CopyButton text={address} label={texts.copy(name)} />
      </span>
    ),
  },
  { label: texts.note, cell: ({ note }) => note },
];
