import { absoluteTime, relativeTime } from '../../../console/src/lib/time.ts';
import { useNow } from '../../../console/src/lib/useNow.ts';
import { type Column, DataTable } from '../../../console/src/ui/DataTable.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { AuditEntry } from '../../../sdk/src/generated/types.ts';
import styles from './audit.module.css';
import { texts } from './texts.ts';
import { objectNames, wordsOf } from './words.ts';

export function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const now = useNow(30_000);
  if (entries.length === 0) return <p className={surface.note}>{texts.none}</p>;
  const columns: Column<AuditEntry>[] = [
    { label: texts.action, isMain: true, cell: (entry) => <Action entry={entry} /> },
    { label: texts.actor, cell: (entry) => <Actor entry={entry} /> },
    {
      label: texts.objects,
      cell: ({ objects }) => <Objects objects={objects} />,
    },
    {
      label: texts.outcome,
      cell: ({ outcome }) => (
        <span className={outcome === 'ok' ? styles.muted : styles.refused}>
          {outcome === 'ok' ? texts.done : outcome}
        </span>
      ),
    },
    { label: texts.source, cell: ({ source = '' }) => <span className={styles.source}>{source}</span> },
    {
      label: texts.time,
      cell: ({ at }) => (
        <time className={styles.time} dateTime={at} title={absoluteTime(at)}>
          {relativeTime(at, now)}
        </time>
      ),
    },
  ];
  return <DataTable label={texts.title} columns={columns} rows={entries} keyOf={({ id }) => id} />;
}

function Action({ entry: { action, count, requestID } }: { entry: AuditEntry }) {
  return (
    <span className={styles.two} title={`${action}, ${requestID}`}>
      <strong>{wordsOf(action)}</strong>
      {count > 1 && <span className={styles.muted}>{texts.times(count)}</span>}
    </span>
  );
}

function Actor({ entry: { userName, userID, apiKeyName, apiKeyID, sessionID } }: { entry: AuditEntry }) {
  const by = apiKeyID === undefined ? sessionID && texts.bySession : texts.byKey(apiKeyName ?? apiKeyID);
  return (
    <span className={`${styles.two} ${styles.actor}`}>
      <span>{userName ?? userID}</span>
      {by && <span className={styles.muted}>{by}</span>}
    </span>
  );
}

const shownObjects = 3;

/** The names, in full where one points. An entry may be about all objects of the workspace. */
function Objects({ objects }: { objects: readonly string[] }) {
  const names = objectNames(objects);
  const first = names.slice(0, shownObjects);
  const more = names.slice(shownObjects);
  if (names.length === 0) return null;
  return (
    <div className={styles.objects} title={objects.join('\n')}>
      {first.join(', ')}
      {more.length > 0 && (
        <details>
          <summary>{texts.moreObjects(more.length)}</summary>
          {more.join(', ')}
        </details>
      )}
    </div>
  );
}
