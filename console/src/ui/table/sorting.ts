/** How a table is sorted: by the column with this name. */
export interface Sorting {
  by: string;
  isDescending: boolean;
}

/** Another click on the same column turns it round. */
export function nextSorting(now: Sorting | undefined, name: string): Sorting {
  return { by: name, isDescending: now?.by === name && !now.isDescending };
}

interface Sortable<T> {
  name: string;
  compare?: ((a: T, b: T) => number) | undefined;
}

/** The rows in their order; as they came where nobody sorted. */
export function sorted<T>(
  rows: readonly T[],
  columns: readonly Sortable<T>[],
  sorting: Sorting | undefined,
): readonly T[] {
  const compare = columns.find(({ name }) => name === sorting?.by)?.compare;
  if (!compare || !sorting) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(a, b));
}
