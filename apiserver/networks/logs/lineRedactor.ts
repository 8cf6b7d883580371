import { redact } from '../../../core/lib/redact.ts';

/** Takes a text in pieces and returns it in whole lines without access keys, tokens of forks and credentials. */
export interface LineRedactor {
  /** The lines that are complete now; empty if none is. */
  push(piece: string): string;
  /** What is left without an end of line. */
  end(): string;
}

/** A longer line is passed on in parts. */
const maxLine = 64 * 1024;

export function createLineRedactor(): LineRedactor {
  let rest = '';
  return {
    push(piece) {
      const text = rest + piece;
      const lineEnd = text.lastIndexOf('\n') + 1;
      const end = text.length - lineEnd > maxLine ? text.length : lineEnd;
      rest = text.slice(end);
      return redact(text.slice(0, end));
    },
    end() {
      const last = redact(rest);
      rest = '';
      return last;
    },
  };
}
