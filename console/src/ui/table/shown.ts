/** How wide a column is: a track of grid-template-columns. */
export interface Widths {
  width: string;
  /** The same on narrow screens, where a column without it is not shown. */
  narrowWidth?: string;
}

export interface Shown<C> {
  columns: readonly C[];
  /** One for each of the columns, as grid-template-columns. */
  tracks: string;
}

/** The columns that a screen shows. */
export function shownOn<C extends Widths>(isNarrow: boolean, all: readonly C[]): Shown<C> {
  const widthOf = ({ width, narrowWidth }: C) => (isNarrow ? narrowWidth : width);
  const columns = all.filter((column) => widthOf(column) !== undefined);
  return { columns, tracks: columns.map(widthOf).join(' ') };
}
