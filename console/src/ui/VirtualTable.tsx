import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import styles from './virtualTable.module.css';

export interface Column<T> {
  /** Different for each column. */
  name: string;
  title: string;
  render: (row: T) => ReactNode;
  /** Not shown on narrow screens. */
  isMinor?: boolean;
}

interface VirtualTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  /** Sets grid-template-columns. */
  className: string | undefined;
}

const rowHeight = 49;

/** Only the rows in the window are there, of however many. The link in a row leads from the whole row. */
export function VirtualTable<T>({ label, columns, rows, idOf, className }: VirtualTableProps<T>) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : idOf(row);
    },
  });
  return (
    <div className={styles.table} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div className={`${styles.row} ${styles.head} ${className}`} role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.name} role="columnheader" className={cellClass(column)}>
              {column.title}
            </span>
          ))}
        </div>
      </div>
      <div ref={body} className={styles.body} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Row
              key={key}
              columns={columns}
              row={row}
              index={index}
              className={className}
              offset={start - top}
            />
          );
        })}
      </div>
    </div>
  );
}

const cellClass = ({ isMinor }: { isMinor?: boolean }) => (isMinor ? styles.minor : undefined);

interface RowProps<T> {
  columns: readonly Column<T>[];
  row: T;
  index: number;
  offset: number;
  className: string | undefined;
}

/** Scrolling renders only the rows that come into the window. */
const Row = memo(RowOf) as typeof RowOf;

function RowOf<T>({ columns, row, index, offset, className }: RowProps<T>) {
  return (
    <div
      className={`${styles.row} ${styles.placed} ${className}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${offset}px)` }}
    >
      {columns.map((column) => (
        <span key={column.name} role="cell" className={cellClass(column)}>
          {column.render(row)}
        </span>
      ))}
    </div>
  );
}
