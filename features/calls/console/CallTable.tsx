import { absoluteTime, exactRelativeTime } from '../../../console/src/lib/time.ts';
import { useNow } from '../../../console/src/lib/useNow.ts';
import { type Column, DataTable } from '../../../console/src/ui/DataTable.tsx';
import type { Call } from '../../../sdk/src/generated/types.ts';
import styles from './calls.module.css';
import { texts } from './texts.ts';

/** The newest call first. */
export function CallTable({ calls }: { calls: readonly Call[] }) {
  const now = useNow(1000);
  const columns: Column<Call>[] = [
    { label: texts.method, isMain: true, cell: ({ method }) => <Method name={method} /> },
    {
      label: texts.params,
      cell: ({ params = '' }) => (
        <span className={`${styles.code} ${styles.params}`} title={params}>
          {params}
        </span>
      ),
    },
    { label: texts.duration, cell: ({ durationMs }) => durationMs },
    { label: texts.error, cell: ({ error }) => error && <Failed error={error} /> },
    { label: texts.key, cell: ({ key, service }) => <span title={service}>{key}</span> },
    {
      label: texts.time,
      cell: ({ time }) => (
        <time className={styles.time} dateTime={time} title={absoluteTime(time)}>
          {exactRelativeTime(time, now)}
        </time>
      ),
    },
  ];
  return <DataTable label={texts.title} columns={columns} rows={calls.toReversed()} keyOf={({ id }) => id} />;
}

function Method({ name }: { name: string | undefined }) {
  if (name === undefined) return <span className={styles.muted}>{texts.noMethod}</span>;
  return <strong className={styles.code}>{name}</strong>;
}

function Failed({ error: { code, message } }: { error: NonNullable<Call['error']> }) {
  return (
    <span className={styles.error}>
      {code} {message}
    </span>
  );
}
