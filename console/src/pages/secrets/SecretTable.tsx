import { useState } from 'react';
import type { Secret } from '../../../../sdk/src/generated/types.ts';
import { labelsText } from '../../forms/labels.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { useInside, useKind, useMay, useStream } from '../../session/context.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { tell, tellFailure } from '../../ui/toasts.ts';
import { type Column, VirtualTable } from '../../ui/VirtualTable.tsx';
import { usersOf } from './secrets.ts';
import { texts } from './texts.ts';

/** In a personal workspace: the key that the service signs with. */
const defaultKey = 'default-key';

interface SecretTableProps {
  secrets: readonly Secret[];
  onReplace: (secret: Secret) => void;
}

export function SecretTable({ secrets, onReplace }: SecretTableProps) {
  const { objects } = useKind('network');
  const { isComplete } = useStream();
  const users = usersOf(objects.values());
  const now = useNow(30_000);
  const mayWrite = useMay('secrets:write');
  const { question, remove, close } = useRemoval(users);
  const { columns } = texts;
  const shown: Column<Secret>[] = [
    {
      name: 'name',
      title: columns.name,
      width: 'minmax(0, 1fr)',
      narrowWidth: 'minmax(0, 1fr)',
      render: ({ name }) => <strong title={name}>{name}</strong>,
    },
    { name: 'type', title: columns.type, width: 'minmax(96px, 170px)', render: ({ type }) => type },
    {
      name: 'usedBy',
      title: columns.usedBy,
      width: 'minmax(0, 1fr)',
      narrowWidth: 'minmax(0, 1fr)',
      render: ({ name }) =>
        users.get(name)?.join(', ') ?? (name === defaultKey ? texts.signsForYou : isComplete && texts.unused),
    },
    {
      name: 'labels',
      title: columns.labels,
      width: 'minmax(0, 1fr)',
      render: ({ metadata }) => labelsText(metadata.labels),
    },
    {
      name: 'created',
      title: columns.created,
      width: '104px',
      render: ({ metadata: { createdAt } }) => (
        <span title={absoluteTime(createdAt)}>{relativeTime(createdAt, now)}</span>
      ),
    },
    {
      name: 'actions',
      title: columns.actions,
      width: '84px',
      narrowWidth: '72px',
      render: (secret) =>
        mayWrite && (
          <>
            <IconButton
              isSmall
              icon="refresh"
              label={texts.replaceLabel(secret.name)}
              disabled={users.has(secret.name)}
              onClick={() => onReplace(secret)}
            />
            <IconButton
              isSmall
              icon="trash"
              label={texts.removeLabel(secret.name)}
              onClick={() => remove(secret)}
            />
          </>
        ),
    },
  ];
  return (
    <>
      <VirtualTable label={texts.title} columns={shown} rows={secrets} idOf={({ id }) => id} />
      <Confirm question={question} onClose={close} />
    </>
  );
}

/** Asks before a secret is deleted, and says who uses it instead where somebody does. */
function useRemoval(users: ReadonlyMap<string, readonly string[]>) {
  const { client } = useInside();
  const [question, setQuestion] = useState<Question>();
  const remove = ({ id, name }: Secret) => {
    const names = users.get(name);
    if (names) return tellFailure(new Error(texts.inUse(name, names)));
    const text = name === defaultKey ? texts.removeDefault : texts.removeText;
    setQuestion({
      title: texts.removeTitle(name),
      text,
      action: texts.remove,
      isDanger: true,
      typed: { label: texts.removeTyped, value: name },
      run: async () => {
        await client.secrets.delete(id);
        tell(texts.removed);
      },
    });
  };
  return { question, remove, close: () => setQuestion(undefined) };
}
