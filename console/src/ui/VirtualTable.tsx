import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { narrow, useMedia } from '../lib/useMedia.ts';
import { shownOn, type Widths } from './table/shown.ts';
import { nextSorting, type Sorting, sorted } from './table/sorting.ts';
import styles from './virtualTable.module.css';

export interface Column<T> extends Widths {
  /** Different for each column. */
  name: string;
  title: string;
  render: (row: T) => ReactNode;
  /** Rows can be sorted by it. */
  compare?: (a: T, b: T) => number;
}

interface VirtualTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  /** Of each row, the head's included. */
  className?: string | undefined;
}

const rowHeight = 49;

/** Only the rows in the window are there, of however many. The link in a row leads from the whole row. */
export function VirtualTable<T>({
  label,
  columns: all,
  rows: given,
  idOf,
  className = '',
}: VirtualTableProps<T>) {
  const isNarrow = useMedia(narrow);
  const { columns, tracks } = useMemo(() => shownOn(isNarrow, all), [isNarrow, all]);
  const [sorting, setSorting] = useState<Sorting>();
  const rows = useMemo(() => sorted(given, all, sorting), [given, all, sorting]);
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
        <div
          className={`${styles.row} ${styles.head} ${className}`}
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: tracks }}
        >
          {columns.map((column) => (
            <Head key={column.name} column={column} sorting={sorting} onSort={setSorting} />
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
              tracks={tracks}
              offset={start - top}
            />
          );
        })}
      </div>
    </div>
  );
}

interface HeadProps<T> {
  column: Column<T>;
  sorting: Sorting | undefined;
  onSort: (sorting: Sorting) => void;
}

function Head<T>({ column: { name, title, compare }, sorting, onSort }: HeadProps<T>) {
  const isBy = sorting?.by === name;
  const order = isBy ? (sorting.isDescending ? 'descending' : 'ascending') : undefined;
  return (
    <span role="columnheader" aria-sort={order}>
      {compare ? (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSorting(sorting, name))}>
          {title} <span aria-hidden="true">{isBy ? (sorting.isDescending ? '↓' : '↑') : ''}</span>
        </button>
      ) : (
        title
      )}
    </span>
  );
}

interface RowProps<T> {
  columns: readonly Column<T>[];
  row: T;
  index: number;
  offset: number;
  tracks: string;
  className: string;
}

/** Scrolling renders only the rows that come into the window. */
const Row = memo(RowOf) as typeof RowOf;

function RowOf<T>({ columns, row, index, offset, tracks, className }: RowProps<T>) {
  return (
    <div
      className={`${styles.row} ${styles.placed} ${className}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ gridTemplateColumns: tracks, transform: `translateY(${offset}px)` }}
    >
      {columns.map((column) => (
        <span key={column.name} role="cell">
          {column.render(row)}
        </span>
      ))}
    </div>
  );
}
