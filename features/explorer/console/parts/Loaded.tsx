import type { ReactNode } from 'react';
import { type Query, Repeatable } from '../../../../console/src/ui/Loaded.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import styles from '../explorer.module.css';
import { texts } from '../texts.ts';

/** What was read, or that it is being read, or why it cannot be. */
export function Loaded<T>({ of, children }: { of: Query<T>; children: (value: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) {
    return (
      <div className={styles.stack}>
        <Repeatable query={of} title={texts.failed} />
      </div>
    );
  }
  return (
    <div className={styles.loading} role="status" aria-label={texts.loading}>
      {['a', 'b', 'c', 'd'].map((row) => (
        <div key={row} className={surface.skeleton} />
      ))}
    </div>
  );
}
