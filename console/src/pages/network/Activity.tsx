import type { Network } from '../../../../sdk/src/generated/types.ts';
import { absoluteTime, clockTime } from '../../lib/time.ts';
import { useLive } from '../../session/context.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import styles from './network.module.css';
import { texts } from './texts.ts';

const names: Readonly<Record<string, string>> = texts.events;

/** What happened while this tab was open. */
export function ActivityList({ network }: { network: Network }) {
  const { activity } = useLive();
  const entries = activity.get(network.id) ?? [];
  if (entries.length === 0) {
    return (
      <div className={surface.card}>
        <Empty icon="activity" title={texts.activityEmptyTitle} text={texts.activityEmpty} />
      </div>
    );
  }
  return (
    <ol className={`${surface.card} ${styles.activity}`}>
      {entries.map(({ id, type, at, state, message }) => (
        <li key={id}>
          <time dateTime={at} title={absoluteTime(at)}>
            {clockTime(at)}
          </time>
          <StateBadge state={state} />
          <span>
            <strong>{names[type.replace('network.', '')] ?? type}</strong>
            {message && <span className={styles.muted}> {message}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
