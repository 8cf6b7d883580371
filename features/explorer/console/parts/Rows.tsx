import type { ReactNode } from 'react';
import surface from '../../../../console/src/ui/surface.module.css';
import styles from '../explorer.module.css';

type Row = readonly [label: string, value: ReactNode];

/** Labels and values; a value that is undefined has no row. */
export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className={styles.rows}>
      {rows
        .filter(([, value]) => value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Card({ title, children, tools }: { title: string; children: ReactNode; tools?: ReactNode }) {
  return (
    <section className={surface.card} aria-label={title}>
      <div className={surface.cardHead}>
        <h2>{title}</h2>
        {tools}
      </div>
      {children}
    </section>
  );
}
