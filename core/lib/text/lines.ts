import { cut } from './foreignText.ts';

/** Characters of a line that are shown, with the mark where it was cut. Container runtimes also keep lines in pieces of 16 KiB. */
export const maxLineLength = 16 * 1024;

/** Splits a text that comes in pieces into lines. Of a long one only the beginning is held, and the rest is counted. */
export interface LineReader {
  /** The lines that are complete now, without their ends. */
  push(piece: string): string[];
  /** The last line, unless nothing follows the last end of a line. */
  end(): string[];
}

export function createLineReader(limit = maxLineLength): LineReader {
  let parts: string[] = [];
  let length = 0;

  /** One character more than is shown tells that the line is cut. */
  function take(part: string): void {
    const wanted = limit + 1 - length;
    if (wanted > 0) parts.push(part.slice(0, wanted));
    length += part.length;
  }

  function finish(): string {
    const shown = cut(parts.join(''), limit);
    const hidden = length - shown.length + 1;
    const line = length > limit ? `${shown} (${hidden} more characters)` : shown;
    parts = [];
    length = 0;
    return line;
  }

  return {
    push(piece) {
      const lines: string[] = [];
      let start = 0;
      for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
        take(piece.slice(start, end));
        lines.push(finish());
        start = end + 1;
      }
      take(piece.slice(start));
      return lines;
    },
    end: () => (length === 0 ? [] : [finish()]),
  };
}
