import type { Io } from './io.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Column, tableText } from './table.ts';
import { jsonText, printableLines } from './terminal.ts';

export type Format = 'text' | 'json' | 'ndjson';

/**
 * Data goes to stdout in the format that the user chose; everything else goes to stderr. Texts may come from chains and services:
 * none of them reaches a terminal as it is.
 */
export interface Ui {
  readonly format: Format;
  /** One object: `text` is for people. --quiet prints its id, or the secret in it, which no other command shows. */
  object(value: unknown, text: string): void;
  /** One object whose text is all that is asked for, such as a hash or a URL: --quiet prints it as well. */
  answer(value: unknown, text: string): void;
  /** A list, complete. One JSON object has what `about` says of it beside its items. */
  list<T>(
    items: AsyncIterable<T> | Iterable<T>,
    columns: readonly Column<T>[],
    about?: object,
  ): Promise<void>;
  /** One item of a stream that goes on; JSON is one line per item in both formats. */
  item(value: unknown, text: string): void;
  /** What a wait went through: a line on stderr, and with --ndjson an object on stdout too. */
  step(value: object, text: string): void;
  /** A line for people. */
  note(text: string): void;
  /** Text for programs, such as logs and snippets: as it is, unless a terminal shows it. */
  raw(text: string): void;
  /** Ends what is live before the command ends. */
  end(): void;
}

interface UiOptions {
  format: Format;
  isQuiet: boolean;
  isPlain: boolean;
}

export function createUi(io: Pick<Io, 'stdout' | 'stderr' | 'clock'>, options: UiOptions): Ui {
  const { format, isQuiet } = options;
  const isLive = io.stderr.isTerminal && !options.isPlain;
  const progress: Progress = createProgress({ out: io.stderr, clock: io.clock, isLive });

  function out(text: string): void {
    progress.end();
    io.stdout.write(text);
  }

  function note(text: string): void {
    if (isQuiet) return;
    progress.end();
    io.stderr.write(`${printableLines(text)}\n`);
  }

  function answer(value: unknown, text: string): void {
    if (format === 'text') out(printableLines(text));
    else out(format === 'json' ? pretty(value) : line(value));
  }

  return {
    format,
    list: (items, columns, about) => printList(items, columns, { out, note, format, isQuiet, about }),
    note,
    object: (value, text) => answer(value, isQuiet ? quietLine(value) : text),
    answer,
    item(value, text) {
      if (format !== 'text') return out(line(value));
      out(isQuiet ? quietLine(value) : `${printableLines(text)}\n`);
    },
    step(value, text) {
      if (format === 'ndjson') out(line(value));
      if (!isQuiet) progress.step(text);
    },
    raw: (text) => out(io.stdout.isTerminal ? printableLines(text) : text),
    end: progress.end,
  };
}

interface Printer {
  out: (text: string) => void;
  note: (text: string) => void;
  format: Format;
  isQuiet: boolean;
  about: object | undefined;
}

async function printList<T>(
  items: AsyncIterable<T> | Iterable<T>,
  columns: readonly Column<T>[],
  { out, note, format, isQuiet, about }: Printer,
): Promise<void> {
  const all: T[] = [];
  for await (const item of items) {
    if (format === 'ndjson') out(line(item));
    else all.push(item);
  }
  if (format === 'json') return out(pretty({ ...about, items: all }));
  if (format === 'ndjson') return;
  if (isQuiet) return out(all.map(quietLine).join(''));
  if (all.length === 0) return note('Nothing found.');
  out(tableText(all, columns));
}

function quietLine(value: unknown): string {
  const text = mainTextOf(value);
  return text === undefined ? '' : `${printableLines(text)}\n`;
}

/** What a script needs of an object: a secret that is shown only once comes before what finds the object again. */
const mainMembers = ['token', 'secret', 'id', 'hash', 'userID', 'address'];

function mainTextOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  return mainMembers.map((name) => members.get(name)).find((text) => typeof text === 'string');
}

const pretty = (value: unknown) => `${jsonText(value, 2)}\n`;
const line = (value: unknown) => `${jsonText(value)}\n`;
