import type { Network } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, relativeTime } from '../../lib/time.ts';
import { useNow } from '../../lib/useNow.ts';
import { Card } from '../../ui/Card.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import styles from './network.module.css';
import { texts } from './texts.ts';

type Condition = NonNullable<NonNullable<Network['status']>['conditions']>[number];

/** What kubectl describe says of the network: its conditions, and the history of its chain. */
export function Conditions({ network }: { network: Network }) {
  const conditions = network.status?.conditions ?? [];
  const now = useNow(30_000);
  const columns: Column<Condition>[] = [
    { label: texts.condition, isMain: true, cell: ({ type }) => <strong>{type}</strong> },
    { label: texts.conditionStatus, cell: ({ status }) => <Status status={status} /> },
    {
      label: texts.conditionReason,
      cell: ({ reason, message }) => (
        <span>
          {reason} {message && <span className={styles.muted}>{message}</span>}
        </span>
      ),
    },
    {
      label: texts.conditionSince,
      cell: ({ lastTransitionTime: time }) => (
        <span title={absoluteTime(time)}>{relativeTime(time, now)}</span>
      ),
    },
  ];
  return (
    <div className={styles.stack}>
      <Card title={texts.tabs.conditions}>
        {conditions.length === 0 ? (
          <Empty icon="activity" title={texts.noConditionsTitle} text={texts.noConditions} />
        ) : (
          <DataTable
            label={texts.tabs.conditions}
            columns={columns}
            rows={conditions}
            keyOf={({ type }) => type}
          />
        )}
      </Card>
      <ChainHistory network={network} nowMs={now} />
    </div>
  );
}

function Status({ status }: { status: string }) {
  return (
    <span className={styles.status}>
      <Icon name={status === 'True' ? 'check' : status === 'False' ? 'close' : 'clock'} />
      {status}
    </span>
  );
}

function ChainHistory({ network: { status }, nowMs }: { network: Network; nowMs: number }) {
  const { incarnation, previousChain, lastWakeUpAt, lastStoppedAt } = status ?? {};
  const time = (text: string | undefined) => text && `${absoluteTime(text)} (${relativeTime(text, nowMs)})`;
  const rows = [
    [texts.chainBegan, time(incarnation?.startedAt)],
    [texts.woken, time(lastWakeUpAt)],
    [texts.stoppedAt, time(lastStoppedAt)],
    [texts.chainNumber, incarnation && String(incarnation.number)],
    [texts.previous, previousChain && texts.previousText(previousChain.lastBlock, previousChain.reason)],
  ].filter(([, value]) => value);
  if (rows.length === 0) return null;
  return (
    <Card title={texts.chainTitle}>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
