import type { ReactNode } from 'react';
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
