import { Link } from '@tanstack/react-router';
import { usePageTitle } from '../../../console/src/app/usePageTitle.ts';
import { absoluteTime, relativeTime } from '../../../console/src/lib/time.ts';
import { useNow } from '../../../console/src/lib/useNow.ts';
import { useMay } from '../../../console/src/session/context.tsx';
import { type Column, DataTable } from '../../../console/src/ui/DataTable.tsx';
import { ListCard } from '../../../console/src/ui/ListCard.tsx';
import page from '../../../console/src/ui/page.module.css';
import { StateBadge } from '../../../console/src/ui/StateBadge.tsx';
import type { Webhook } from '../../../sdk/src/generated/types.ts';
import { shownState } from '../api/shownState.ts';
import { NewWebhookDialog } from './NewWebhook.tsx';
import { useWebhooks } from './queries.ts';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

export function WebhooksPage() {
  usePageTitle(texts.title);
  const webhooks = useWebhooks();
  const mayCreate = useMay('webhooks:write');
  return (
    <>
      <p className={page.lead}>{texts.text}</p>
      <ListCard
        title={texts.title}
        query={webhooks}
        empty={{ icon: 'activity', title: texts.noneTitle, text: texts.none }}
        create={mayCreate && { label: texts.create, Dialog: NewWebhookDialog }}
      >
        {(items) => <List webhooks={items} />}
      </ListCard>
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
    { label: texts.state, cell: (webhook) => <StateBadge state={shownState(webhook.status ?? {})} /> },
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
