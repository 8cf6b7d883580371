import type { ReactNode } from 'react';
import { absoluteTime, relativeTime } from '../../../console/src/lib/time.ts';
import { useNow } from '../../../console/src/lib/useNow.ts';
import { Card } from '../../../console/src/ui/Card.tsx';
import { CopyButton } from '../../../console/src/ui/CopyButton.tsx';
import type { Webhook } from '../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

export function WebhookFacts({ webhook: { spec, status } }: { webhook: Webhook }) {
  const now = useNow(30_000);
  const labels = Object.entries(spec.selector?.matchLabels ?? {});
  const time = (text: string | undefined) =>
    text && <span title={absoluteTime(text)}>{relativeTime(text, now)}</span>;
  const rows: [string, ReactNode][] = [
    [
      texts.url,
      <span key="url" className={styles.copied}>
        <code>{spec.url}</code>
        <CopyButton text={spec.url} label={texts.copyUrl} />
      </span>,
    ],
    [texts.description, spec.description],
    [texts.events, spec.types?.join(', ') ?? texts.allEvents],
    [texts.selector, labels.map(([name, value]) => `${name}=${value}`).join(', ')],
    [texts.signedWith, spec.secretRef?.name],
    [texts.pending, status?.pending ? String(status.pending) : ''],
    [texts.lastDelivered, time(status?.lastDeliveredAt) ?? texts.never],
    [texts.failingSince, time(status?.failingSince)],
  ];
  return (
    <Card title={texts.details}>
      <dl className={styles.facts}>
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}
