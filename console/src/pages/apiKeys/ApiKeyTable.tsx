import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, dueTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { roleName } from '../../parts/access/roles.ts';
import { session } from '../../session/browser.ts';
import { useInside, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Tag, Tagged } from '../../ui/Tag.tsx';
import { tell } from '../../ui/toasts.ts';
import { useMembers } from '../members/queries.ts';
import styles from './apiKeys.module.css';
import { apiKeysKey, usePermissions } from './queries.ts';
import { texts } from './texts.ts';

export function ApiKeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const { question, setQuestion, revoke } = useRevoke();
  const mayRevoke = useMay('api-keys:write');
  const { data: members = [] } = useMembers();
  const { data: permissions } = usePermissions();
  const now = useNow(30_000);
  const time = (text: string | undefined, say: typeof relativeTime) =>
    text ? <span title={absoluteTime(text)}>{say(text, now)}</span> : texts.never;
  const columns: Column<ApiKey>[] = [
    { label: texts.name, isMain: true, cell: (key) => <KeyName apiKey={key} /> },
    {
      label: texts.id,
      cell: ({ id, name }) => (
        <span className={styles.id}>
          <code title={id}>{id}</code>
          <CopyButton text={id} label={texts.copyId(name)} />
        </span>
      ),
    },
    {
      label: texts.owner,
      cell: ({ userID }) => members.find((one) => one.userID === userID)?.email ?? userID,
    },
    { label: texts.access, cell: (key) => accessOf(key, permissions?.roles[key.role]?.length) },
    { label: texts.used, cell: ({ lastUsedAt }) => time(lastUsedAt, relativeTime) },
    { label: texts.expires, cell: ({ expiresAt }) => time(expiresAt, dueTime) },
    {
      label: texts.actions,
      isAction: true,
      cell: (key) =>
        mayRevoke && (
          <Button isSmall onClick={() => revoke(key)} aria-label={`${texts.revoke}: ${key.name}`}>
            {texts.revoke}
          </Button>
        ),
    },
  ];
  return (
    <>
      <DataTable label={texts.title} columns={columns} rows={keys} keyOf={({ id }) => id} />
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}

function useRevoke() {
  const { client, me } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  const revoke = ({ id, workspaceID, name }: ApiKey) => {
    const isOwn = id === me.apiKeyID;
    setQuestion({
      title: texts.revokeTitle(name),
      text: isOwn ? `${texts.revokeText} ${texts.revokeOwn}` : texts.revokeText,
      action: texts.revoke,
      isDanger: true,
      run: async () => {
        await client.apiKeys.delete({ id: workspaceID, keyId: id });
        tell(texts.revoked);
        if (isOwn) return session.check();
        await queries.invalidateQueries({ queryKey: apiKeysKey });
      },
    });
  };
  return { question, setQuestion, revoke };
}

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const { me } = useInside();
  return (
    <Tagged name={apiKey.name}>
      {apiKey.id === me.apiKeyID && <Tag>{texts.own}</Tag>}
      {apiKey.device !== undefined && <span className={styles.device}>{texts.device(apiKey.device)}</span>}
    </Tagged>
  );
}

/** The role, and how many of its permissions where the key has not all of them. */
function accessOf({ role, permissions }: ApiKey, ofRole: number | undefined) {
  const name = roleName(role);
  const isAll = ofRole === undefined || permissions.length >= ofRole;
  if (isAll) return name;
  return <span title={permissions.join(', ')}>{texts.restricted(name, permissions.length)}</span>;
}
