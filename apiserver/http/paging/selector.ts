import { isLabelField } from '../../../core/api/userLabels.ts';
import { AppError } from '../../../core/lib/errors.ts';

/** One condition of a selector. Values are compared as text. `IN` matches any of its values. */
export type Clause =
  | { field: string; operator: '==' | '!='; value: string }
  | { field: string; operator: 'IN'; values: string[] };

const maxLength = 4096;
/** A field ends at whitespace, quotes, parentheses, and the characters of the operators. */
const word = /[^\s"'(),&=!\\]+/y;
/** A value without quotes ends at the next operator; in a list also at a comma or a closing parenthesis. */
const value = /(?:[^&=!]|&(?!&)|[=!](?!=))+/y;
const listed = /(?:[^&=!,)]|&(?!&)|[=!](?!=))+/y;
const space = /\s*/y;

/**
 * Parses `field == value && field != 'value' && field IN (value, "value")`. A value may contain blanks. One that contains
 * an operator, that begins with a quote, or in a list with a comma or `)`, must be quoted; inside quotes a backslash
 * escapes the next character. Runs in one pass, so in linear time.
 * Throws BadRequest (detail path `selector`). The error lists the selectable fields if a field is not one of them.
 */
export function parseSelector(text: string, selectable: readonly string[]): Clause[] {
  if (text.length > maxLength) throw refuse(`is too long: send at most ${maxLength} characters`);
  const reader = createReader(text);
  const clauses = [parseClause(reader, selectable)];
  while (!reader.isAtEnd()) {
    reader.expect('&&', 'between clauses');
    clauses.push(parseClause(reader, selectable));
  }
  return clauses;
}

/** The selector text that parses to `clauses`. */
export function formatSelector(clauses: readonly Clause[]): string {
  return clauses
    .map((clause) => {
      if (clause.operator === 'IN') return `${clause.field} IN (${clause.values.map(quote).join(', ')})`;
      return `${clause.field} ${clause.operator} ${quote(clause.value)}`;
    })
    .join(' && ');
}

/** Tells whether an object, whose fields are read as text, matches all clauses. Each clause is prepared once for all objects. */
export function matcherOf(
  clauses: readonly Clause[],
): (read: (field: string) => string | undefined) => boolean {
  const conditions = clauses.map((clause) => ({ field: clause.field, isMet: conditionOf(clause) }));
  return (read) => conditions.every(({ field, isMet }) => isMet(read(field)));
}

function conditionOf(clause: Clause): (actual: string | undefined) => boolean {
  const isOneOf = isOneOfThese(clause.operator === 'IN' ? clause.values : [clause.value]);
  return clause.operator === '!=' ? (actual) => !isOneOf(actual) : isOneOf;
}

/** An address has several spellings (EIP-55). */
function isOneOfThese(values: readonly string[]): (actual: string | undefined) => boolean {
  const exact = new Set(values);
  const lower = new Set(values.map((value) => value.toLowerCase()));
  return (actual) => {
    if (actual === undefined) return false;
    return exact.has(actual) || (actual.startsWith('0x') && lower.has(actual.toLowerCase()));
  };
}

type Reader = ReturnType<typeof createReader>;

function parseClause(reader: Reader, selectable: readonly string[]): Clause {
  const field = reader.bare(word);
  if (!field) throw refuse(`is malformed: expected a field name ${reader.place()}`);
  if (!selectable.includes(field) && !isLabelField(field, selectable)) {
    throw refuse(
      `names the unknown field "${field.slice(0, 64)}"; selectable fields: ${selectable.join(', ')}`,
    );
  }
  for (const operator of ['==', '!='] as const) {
    if (reader.take(operator)) return { field, operator, value: parseValue(reader, value) };
  }
  if (reader.bare(word) !== 'IN') throw refuse(`is malformed: expected ==, != or IN after "${field}"`);
  reader.expect('(', 'after IN');
  const values = [parseValue(reader, listed)];
  while (reader.take(',')) values.push(parseValue(reader, listed));
  reader.expect(')', 'after the values of IN');
  return { field, operator: 'IN', values };
}

function parseValue(reader: Reader, unquoted: RegExp): string {
  const found = reader.quoted() ?? reader.bare(unquoted);
  if (found === undefined) throw refuse(`is malformed: expected a value ${reader.place()}`);
  return found;
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
  const place = () => (at < text.length ? `before "${text.slice(at, at + 20)}"` : 'at the end');
  return {
    take,
    place,
    expect(token: string, where: string): void {
      if (!take(token)) throw refuse(`is malformed: expected ${token} ${where}, ${place()}`);
    },
    isAtEnd(): boolean {
      match(space);
      return at === text.length;
    },
    /** What `pattern` finds here, without the blanks around it; undefined when there is nothing. */
    bare(pattern: RegExp): string | undefined {
      match(space);
      return match(pattern)?.trim() || undefined;
    },
    quoted(): string | undefined {
      const mark = take('"') ? '"' : take("'") ? "'" : undefined;
      if (mark === undefined) return undefined;
      const { value, end } = readUntil(text, at, mark);
      if (end >= text.length) throw refuse(`is malformed: the closing ${mark} of a value is missing`);
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
