import type { ReactNode } from 'react';
import surface from '../../ui/surface.module.css';
import styles from './create.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={surface.card} aria-label={title}>
      <div className={surface.cardHead}>
        <h2>{title}</h2>
      </div>
      <div className={styles.grid}>{children}</div>
    </section>
  );
}
