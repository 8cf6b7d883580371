import { useState } from 'react';
import { absoluteTime, dueTime } from '../../../console/src/lib/time.ts';
import { useNow } from '../../../console/src/lib/useNow.ts';
import { masked } from '../../../console/src/pages/network/endpoints.ts';
import { useMay } from '../../../console/src/session/context.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Card } from '../../../console/src/ui/Card.tsx';
import { Confirm } from '../../../console/src/ui/Confirm.tsx';
import { CopyButton } from '../../../console/src/ui/CopyButton.tsx';
import { type Column, DataTable } from '../../../console/src/ui/DataTable.tsx';
import { Loaded } from '../../../console/src/ui/Loaded.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { Network, RpcKey } from '../../../sdk/src/generated/types.ts';
import styles from './keys.module.css';
import { NewKey } from './NewKey.tsx';
import { useKeys, useRevoke } from './queries.ts';
import { texts } from './texts.ts';

/** The keys of a network that have names, with their URLs. */
export function Keys({ network: { id } }: { network: Network }) {
  const mayWrite = useMay('networks:write');
  const [isCreating, setCreating] = useState(false);
  const keys = useKeys(id);
  const { question, ask, close } = useRevoke(id);
  const create = mayWrite && (
    <Button icon="plus" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <Card title={texts.title} action={create}>
      <p className={surface.note}>{texts.text}</p>
      <Loaded query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <p className={surface.note}>{texts.none}</p>
          ) : (
            <KeyTable keys={items} onRevoke={mayWrite ? ask : undefined} />
          )
        }
      </Loaded>
      <NewKey network={id} isOpen={isCreating} onClose={() => setCreating(false)} />
      <Confirm question={question} onClose={close} />
    </Card>
  );
}

interface KeyTableProps {
  keys: readonly RpcKey[];
  /** Undefined: the caller may not. */
  onRevoke: ((name: string) => void) | undefined;
}

function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const now = useNow(30_000);
  const columns: Column<RpcKey>[] = [
    { label: texts.name, isMain: true, cell: ({ name }) => <strong>{name}</strong> },
    {
      label: texts.state,
      cell: ({ state, message }) => (
        <span className={state === 'Active' ? undefined : styles.ended} title={message}>
          {state}
        </span>
      ),
    },
    {
      label: texts.expires,
      cell: ({ expiresAt }) => (
        <span title={absoluteTime(expiresAt)}>{expiresAt ? dueTime(expiresAt, now) : texts.never}</span>
      ),
    },
    { label: texts.methodsColumn, cell: ({ methods }) => methods?.join(', ') ?? texts.all },
    { label: texts.url, cell: (key) => <Url of={key} /> },
  ];
  const revoke: Column<RpcKey> = {
    label: texts.revoke,
    isAction: true,
    cell: ({ name }) => (
      <Button isSmall look="quiet" aria-label={`${texts.revoke}: ${name}`} onClick={() => onRevoke?.(name)}>
        {texts.revoke}
      </Button>
    ),
  };
  const shown = onRevoke ? [...columns, revoke] : columns;
  return <DataTable label={texts.title} columns={shown} rows={keys} keyOf={({ name }) => name} />;
}

function Url({ of: { name, endpoints, message } }: { of: RpcKey }) {
  const url = endpoints?.rpc;
  if (url === undefined) return <span className={styles.ended}>{message}</span>;
  return (
    <span className={styles.url}>
      <code>{masked(url)}</code>
      <CopyButton text={url} label={texts.copyUrl(name)} />
    </span>
  );
}
