/** What one kind of fault did. */
export interface FaultRow {
  fault: string;
  recoveriesMs: number[];
  lost: number;
  doubled: number;
}

const headings = ['fault', 'times', 'lost', 'doubled', 'recovery p50', 'recovery max'];

/** A table with one line per fault; recoveries in seconds. */
export function renderFaultTable(rows: readonly FaultRow[]): string {
  const cells = rows.map(({ fault, recoveriesMs, lost, doubled }) => {
    const sorted = recoveriesMs.toSorted((a, b) => a - b);
    const seconds = (ms = Number.NaN) => `${(ms / 1000).toFixed(1)} s`;
    const median = sorted[Math.floor((sorted.length - 1) / 2)];
    return [fault, sorted.length, lost, doubled, seconds(median), seconds(sorted.at(-1))].map(String);
  });
  const all = [headings, ...cells];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
