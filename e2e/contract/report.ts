const lines: string[] = [];

/** Adds a row of observed values to the report. */
export const addRow = (...cells: unknown[]) => void lines.push(cells.map(String).join(' | '));

/** Prints all rows in one call, because jest adds a frame to each call of console.log. */
export const printReport = () => console.log(lines.join('\n'));
