import { absoluteTime, exactRelativeTime } from '../../../../console/src/lib/time.ts';
import { useNow } from '../../../../console/src/lib/useNow.ts';
import styles from '../explorer.module.css';

/** The latest time that a Date can be: a development chain's clock can be set to any. */
const latestMs = 8.64e15;

/** How long ago a time in seconds was; the time itself beside it where `isFull`. */
export function Age({ seconds, isFull = false }: { seconds: number; isFull?: boolean }) {
  const now = useNow(1_000);
  if (seconds <= 0) return null;
  const text = new Date(Math.min(seconds * 1000, latestMs)).toISOString();
  const relative = exactRelativeTime(text, now);
  return (
    <time dateTime={text} title={absoluteTime(text)} className={styles.age}>
      {isFull ? `${absoluteTime(text)} (${relative})` : relative}
    </time>
  );
}
