import { useState } from 'react';
import { absoluteTime, dueTime, relativeTime } from '../../../console/src/lib/time.ts';
import { useNow } from '../../../console/src/lib/useNow.ts';
import { useInside, useMay } from '../../../console/src/session/context.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Card } from '../../../console/src/ui/Card.tsx';
import { CopyButton } from '../../../console/src/ui/CopyButton.tsx';
import { Code } from '../../../console/src/ui/code/Code.tsx';
import controls from '../../../console/src/ui/controls.module.css';
import { Loaded } from '../../../console/src/ui/Loaded.tsx';
import { StateBadge } from '../../../console/src/ui/StateBadge.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import { texts as uiTexts } from '../../../console/src/ui/texts.ts';
import { tell, tellFailure } from '../../../console/src/ui/toasts.ts';
import type { WebhookDelivery } from '../../../sdk/src/generated/types.ts';
import { useDeliveries, useReadAgain } from './queries.ts';
import { texts } from './texts.ts';
import styles from './webhooks.module.css';

const states = ['pending', 'delivered', 'failed'] as const;
type Watch = (queued: WebhookDelivery) => Promise<void>;

/** What was sent, or will be, and what the receiver answered. */
export function Deliveries({ id, watch }: { id: string; watch: Watch }) {
  const [state, setState] = useState('');
  const deliveries = useDeliveries(id, state);
  const readAgain = useReadAgain(id);
  const { hasNextPage, isFetching, fetchNextPage } = deliveries;
  const action = (
    <div className={styles.tools}>
      <select
        className={`${controls.input} ${styles.filter}`}
        aria-label={texts.filter}
        value={state}
        onChange={(event) => setState(event.target.value)}
      >
        <option value="">{texts.any}</option>
        {states.map((one) => (
          <option key={one} value={one}>
            {uiTexts.states[one]}
          </option>
        ))}
      </select>
      <Button icon="refresh" isBusy={isFetching} onClick={() => void readAgain()}>
        {texts.refresh}
      </Button>
    </div>
  );
  return (
    <Card title={texts.deliveries} action={action}>
      <Loaded query={deliveries}>
        {({ pages }) => <List id={id} items={pages.flatMap(({ items }) => items)} watch={watch} />}
      </Loaded>
      {hasNextPage && (
        <div className={surface.cardBody}>
          <div>
            <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
              {texts.more50}
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}

interface ListProps {
  id: string;
  items: readonly WebhookDelivery[];
  watch: Watch;
}

function List({ id, items, watch }: ListProps) {
  const now = useNow(30_000);
  if (items.length === 0) return <p className={surface.note}>{texts.deliveriesNone}</p>;
  return (
    <ul className={styles.deliveries}>
      {items.map((one) => (
        <Delivery key={one.id} id={id} delivery={one} nowMs={now} watch={watch} />
      ))}
    </ul>
  );
}

interface DeliveryProps {
  id: string;
  delivery: WebhookDelivery;
  nowMs: number;
  watch: Watch;
}

function Delivery({ id, delivery, nowMs, watch }: DeliveryProps) {
  const { type, state, trigger, createdAt, attempts, nextAttemptAt, message, eventID } = delivery;
  const triggers: Readonly<Record<string, string>> = texts.triggers;
  const facts = [
    texts.attempts(attempts),
    state === 'pending' && nextAttemptAt && texts.next(dueTime(nextAttemptAt, nowMs)),
    triggers[trigger],
  ];
  return (
    <li>
      <details>
        <summary>
          <StateBadge state={state} />
          <code>{type}</code>
          <span className={styles.muted}>{facts.filter(Boolean).join(' · ')}</span>
          <time dateTime={createdAt} title={absoluteTime(createdAt)}>
            {relativeTime(createdAt, nowMs)}
          </time>
        </summary>
        <div className={styles.delivery}>
          {message && <p>{message}</p>}
          <Attempts log={delivery.log} />
          <div className={styles.deliveryFoot}>
            <span className={styles.eventId}>
              <span className={styles.muted}>{texts.eventId}</span>
              <code>{eventID}</code>
              <CopyButton text={eventID} label={texts.copyEventId} />
            </span>
            <Resend id={id} deliveryId={delivery.id} watch={watch} />
          </div>
        </div>
      </details>
    </li>
  );
}

function Attempts({ log }: { log: WebhookDelivery['log'] }) {
  if (log.length === 0) return <p className={styles.muted}>{texts.noAttempt}</p>;
  return (
    <ol className={styles.attempts}>
      {[...log].reverse().map(({ at, durationMs, status, error, response }) => (
        <li key={at}>
          <span className={styles.attemptHead}>
            <strong>{status === undefined ? texts.noAnswer : `HTTP ${status}`}</strong>
            <span className={styles.muted}>
              {absoluteTime(at)} · {texts.took(durationMs)}
            </span>
          </span>
          {error && <p>{error}</p>}
          {response && <Code label={texts.answer} text={response} />}
        </li>
      ))}
    </ol>
  );
}

function Resend({ id, deliveryId, watch }: { id: string; deliveryId: string; watch: Watch }) {
  const { client } = useInside();
  const mayWrite = useMay('webhooks:write');
  const [isBusy, setBusy] = useState(false);
  if (!mayWrite) return null;
  const resend = () => {
    setBusy(true);
    client.webhooks
      .resendDelivery({ id, deliveryId })
      .then((queued) => {
        tell(texts.resent);
        return watch(queued);
      })
      .catch(tellFailure)
      .finally(() => setBusy(false));
  };
  return (
    <Button isSmall icon="refresh" isBusy={isBusy} onClick={resend}>
      {texts.resend}
    </Button>
  );
}
