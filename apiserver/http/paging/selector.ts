import { AppError } from '../../../core/lib/errors.ts';

/** One condition of a selector; it holds for an object by comparing text. `in` holds for any of its values. */
export type Clause =
  | { field: string; operator: '==' | '!='; value: string }
  | { field: string; operator: 'IN'; values: string[] };

const maxLength = 4096;
/** What ends a bare value or a field: white space, quotes, brackets, and the signs of the operators. */
const bare = /[^\s"'(),&=!\\]+/y;
const space = /\s*/y;

/**
 * Parses `field == value && field != 'value' && field IN (value, "value")`. Values are bare or quoted; in quotes a
 * backslash takes the next character as it is. One pass, so linear in the length of the text.
 * Throws BadRequest (detail path `selector`), naming the selectable fields when a field is none of them.
 */
export function parseSelector(text: string, selectable: readonly string[]): Clause[] {
  if (text.length > maxLength) throw refuse(`is longer than ${maxLength} characters`);
  const reader = createReader(text);
  const clauses = [parseClause(reader, selectable)];
  while (!reader.isAtEnd()) {
    reader.expect('&&', 'between clauses');
    clauses.push(parseClause(reader, selectable));
  }
  return clauses;
}

/** The text that parses to `clauses`. */
export function formatSelector(clauses: readonly Clause[]): string {
  return clauses
    .map((clause) => {
      if (clause.operator === 'IN') return `${clause.field} IN (${clause.values.map(quote).join(', ')})`;
      return `${clause.field} ${clause.operator} ${quote(clause.value)}`;
    })
    .join(' && ');
}

/** Whether all clauses hold for an object whose fields `read` gives as text. */
export function matchesAll(clauses: readonly Clause[], read: (field: string) => string | undefined): boolean {
  return clauses.every((clause) => {
    const actual = read(clause.field);
    if (clause.operator === 'IN') return actual !== undefined && clause.values.includes(actual);
    return (actual === clause.value) === (clause.operator === '==');
  });
}

type Reader = ReturnType<typeof createReader>;

function parseClause(reader: Reader, selectable: readonly string[]): Clause {
  const field = reader.bareWord();
  if (!field) throw refuse(`wants the name of a field ${reader.place()}`);
  if (!selectable.includes(field)) {
    throw refuse(`cannot select by «${field.slice(0, 64)}»; selectable: ${selectable.join(', ')}`);
  }
  for (const operator of ['==', '!='] as const) {
    if (reader.take(operator)) return { field, operator, value: parseValue(reader) };
  }
  if (reader.bareWord() !== 'IN') throw refuse(`wants ==, != or IN after «${field}»`);
  reader.expect('(', 'after IN');
  const values = [parseValue(reader)];
  while (reader.take(',')) values.push(parseValue(reader));
  reader.expect(')', 'after the values of IN');
  return { field, operator: 'IN', values };
}

function parseValue(reader: Reader): string {
  const value = reader.quoted() ?? reader.bareWord();
  if (value === undefined) throw refuse(`wants a value ${reader.place()}`);
  return value;
}

function createReader(text: string) {
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const take = (token: string): boolean => {
    match(space);
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };
  const place = () => (at < text.length ? `before «${text.slice(at, at + 20)}»` : 'at its end');
  return {
    take,
    place,
    expect(token: string, where: string): void {
      if (!take(token)) throw refuse(`wants ${token} ${where}, ${place()}`);
    },
    isAtEnd(): boolean {
      match(space);
      return at === text.length;
    },
    bareWord(): string | undefined {
      match(space);
      return match(bare);
    },
    quoted(): string | undefined {
      const mark = take('"') ? '"' : take("'") ? "'" : undefined;
      if (mark === undefined) return undefined;
      const { value, end } = readUntil(text, at, mark);
      if (end >= text.length) throw refuse(`has a value whose closing ${mark} is missing`);
      at = end + 1;
      return value;
    },
  };
}

/** The text from `start` to `mark`, without its backslashes, and where that mark is: beyond the text when it is missing. */
function readUntil(text: string, start: number, mark: string): { value: string; end: number } {
  let value = '';
  let end = start;
  for (; end < text.length && text[end] !== mark; end++) {
    if (text[end] === '\\') end++;
    value += text[end] ?? '';
  }
  return { value, end };
}

function quote(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

function refuse(message: string): AppError {
  return new AppError('BadRequest', `the selector ${message}`, { details: [{ path: 'selector', message }] });
}
