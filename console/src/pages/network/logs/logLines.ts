export interface LogLine {
  key: number;
  text: string;
}

export interface LogLines {
  add(texts: readonly string[]): void;
  /** Lines with this text, in any case. */
  matching(part: string): LogLine[];
}

/** What terminals take as colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what begins them.
const colours = /\u001b\[[\d;]*m/g;

/** The last lines of a log. */
export function createLogLines(limit: number): LogLines {
  let lines: LogLine[] = [];
  let next = 0;
  return {
    add(texts) {
      const added = texts.map((text) => {
        next += 1;
        return { key: next, text: text.replaceAll(colours, '') };
      });
      lines = [...lines, ...added].slice(-limit);
    },
    matching(part) {
      const wanted = part.toLowerCase();
      return wanted === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
    },
  };
}
