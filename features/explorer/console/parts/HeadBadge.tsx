import { whole } from '../amounts.ts';
import { useExplored } from '../context.tsx';
import styles from '../explorer.module.css';
import { texts } from '../texts.ts';

/** The newest block. Screen readers hear of it when they ask: it may change every second. */
export function HeadBadge() {
  const { head } = useExplored();
  return (
    <span className={styles.headBadge}>
      <span className={head ? styles.liveDot : styles.waitDot} aria-hidden="true" />
      {head ? `${texts.live}: ${whole(BigInt(head.number))}` : texts.waiting}
    </span>
  );
}
