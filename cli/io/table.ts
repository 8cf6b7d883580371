import { printable } from './terminal.ts';

export interface Column<T> {
  title: string;
  value: (item: T) => string;
}

/** Rows under upper-case titles, as kubectl prints them. Empty cells are "-", so that columns can be cut out by position. */
export function tableText<T>(items: readonly T[], columns: readonly Column<T>[]): string {
  const rows = [
    columns.map(({ title }) => title.toUpperCase()),
    ...items.map((item) => columns.map(({ value }) => printable(value(item)) || '-')),
  ];
  const widths = columns.map((_column, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('   ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** One line per field, values below each other; fields without a value are left out. */
export function fieldsText(fields: readonly (readonly [title: string, value: string | undefined])[]): string {
  const shown = fields.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([title]) => title.length)) + 1;
  return shown.map(([title, value = '']) => `${`${title}:`.padEnd(width)}  ${printable(value)}\n`).join('');
}
