import type { ReactNode } from 'react';
import styles from './surface.module.css';

interface CardProps {
  title: string;
  /** What can be done with all of it. */
  action?: ReactNode;
  children: ReactNode;
}

/** A named part of a page. Its content brings its own space around it. */
export function Card({ title, action, children }: CardProps) {
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
