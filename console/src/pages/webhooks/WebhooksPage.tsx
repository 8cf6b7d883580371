import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../../sdk/src/generated/types.ts';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { NewWebhookDialog } from './NewWebhook.tsx';
import { useWebhooks } from './queries.ts';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

export function WebhooksPage() {
  usePageTitle(texts.title);
  const webhooks = useWebhooks();
  const [isCreating, setCreating] = useState(false);
  const create = useMay('webhooks:write') && (
    <Button icon="plus" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <>
      <p className={styles.text}>{texts.text}</p>
      <Card title={texts.title} action={create}>
        <Loaded query={webhooks}>
          {(data) =>
            data.length === 0 ? (
              <Empty icon="activity" title={texts.noneTitle} text={texts.none} />
            ) : (
              <List webhooks={data} />
            )
          }
        </Loaded>
      </Card>
      <NewWebhookDialog isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function List({ webhooks }: { webhooks: readonly Webhook[] }) {
  const now = useNow(30_000);
  const columns: Column<Webhook>[] = [
    {
      label: texts.name,
      isMain: true,
      cell: ({ id, name }) => (
        <Link to="/settings/webhooks/$id" params={{ id }} className={styles.name}>
          {name}
        </Link>
      ),
    },
    { label: texts.state, cell: ({ status }) => <StateBadge state={status?.state ?? 'Pending'} /> },
    { label: texts.url, cell: ({ spec }) => <span className={styles.url}>{spec.url}</span> },
    { label: texts.events, cell: ({ spec }) => spec.types?.join(', ') ?? texts.allEvents },
    {
      label: texts.lastDelivered,
      cell: ({ status }) => (
        <span title={absoluteTime(status?.lastDeliveredAt)}>
          {relativeTime(status?.lastDeliveredAt, now) || texts.never}
        </span>
      ),
    },
  ];
  return <DataTable label={texts.title} columns={columns} rows={webhooks} keyOf={({ id }) => id} />;
}
