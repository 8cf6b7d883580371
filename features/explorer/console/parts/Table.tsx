import type { ReactNode } from 'react';
import { Scrolled } from '../../../../console/src/ui/table/Scrolled.tsx';
import styles from '../explorer.module.css';

interface TableProps {
  label: string;
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** What is said instead of no rows. */
  empty: string;
}

/** A short table. Where it is too wide, it scrolls by itself, also by keyboard. */
export function Table({ label, columns, rows, empty }: TableProps) {
  if (rows.length === 0) return <p className={styles.none}>{empty}</p>;
  return (
    <Scrolled label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {columns.map((column, index) => (
                <td key={column}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
