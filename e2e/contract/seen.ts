const lines: string[] = [];

/** Keeps a row of what was seen. */
export const print = (...cells: unknown[]) => void lines.push(cells.map(String).join(' | '));

/** Prints all rows at once: jest puts a frame around each print. */
export const printAll = () => console.log(lines.join('\n'));
