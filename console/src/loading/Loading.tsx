import { useEffect, useState } from 'react';
import { systemClock } from '../lib/clock.ts';
import styles from './loading.module.css';
import { texts } from './texts.ts';

/** Whoever waits longer wants to know that something still happens. */
const slowAfterMs = 6_000;

/** Something is on its way; after a while it says that it takes long. */
export function Loading() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => systemClock.after(slowAfterMs, () => setSlow(true)), []);
  return (
    <p className={styles.loading} role="status">
      {isSlow ? texts.slow : texts.loading}
    </p>
  );
}
