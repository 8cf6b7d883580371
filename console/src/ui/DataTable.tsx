import type { ReactNode } from 'react';
import styles from './dataTable.module.css';

export interface Column<T> {
  /** What it shows; on a phone it stands beside each value. */
  label: string;
  cell: (row: T) => ReactNode;
  /** The first line of the row on a phone. */
  isMain?: boolean;
  /** Buttons: their column has no visible name. */
  isAction?: boolean;
}

interface DataTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table that becomes a list of cards on a phone. Its roles do not depend on how it is displayed, as those of `table` do. */
export function DataTable<T>({ label, columns, rows, keyOf }: DataTableProps<T>) {
  return (
    <div role="table" className={styles.table} aria-label={label}>
      <div role="rowgroup" className={styles.head}>
        <div role="row" className={styles.row}>
          {columns.map((column) => (
            <span key={column.label} role="columnheader" className={styles.cell}>
              {column.isAction ? <span className={styles.hidden}>{column.label}</span> : column.label}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body}>
        {rows.map((row) => (
          <div key={keyOf(row)} role="row" className={styles.row}>
            {columns.map((column) => (
              <div key={column.label} role="cell" className={classOf(column)} data-label={column.label}>
                {column.cell(row)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function classOf<T>({ isMain, isAction }: Column<T>): string {
  if (isAction) return `${styles.cell} ${styles.action}`;
  return isMain ? `${styles.cell} ${styles.main}` : `${styles.cell}`;
}
