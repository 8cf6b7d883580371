/** One condition of a selector of the API, such as `status.state == Stopped`. */
export interface Clause {
  field: string;
  /** Of `!=` exactly one value, which is excluded; otherwise any of them matches. */
  values: string[];
  isExcluded: boolean;
}

const token =
  /\s*(?:(&&|==|!=|[(),])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^\s&=!,()"']|&(?!&)|[=!](?!=))+(?: +(?:[^\s&=!,()"']|&(?!&)|[=!](?!=))+)*))/y;

/** Parses a selector; undefined for what is none. The service has the last word: it names what is wrong. */
export function parseSelector(text: string): Clause[] | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const clauses: Clause[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const end = tokens.indexOf('&&', at) === -1 ? tokens.length : tokens.indexOf('&&', at);
    const clause = clauseOf(tokens.slice(at, end));
    if (!clause || end === tokens.length - 1) return undefined;
    clauses.push(clause);
    at = end;
  }
  return clauses.length > 0 ? clauses : undefined;
}

/** Operators as they are; words and quoted values with a mark before them, so that a quoted `&&` is a value. */
function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (token.lastIndex < trimmed.length) {
    const found = token.exec(trimmed);
    if (!found) return undefined;
    const [, operator, double, single, word] = found;
    tokens.push(operator ?? `=${(double ?? single)?.replaceAll(/\\(.)/g, '$1') ?? word}`);
  }
  return tokens;
}

function clauseOf(tokens: string[]): Clause | undefined {
  const [first = '', operator, ...rest] = tokens;
  if (first.endsWith(' IN') && operator === '(') return listClause(first.slice(1, -3), rest);
  const isComparison = operator === '==' || operator === '!=';
  const [value = ''] = rest;
  if (!isComparison || rest.length !== 1 || !first.startsWith('=') || !value.startsWith('='))
    return undefined;
  return { field: first.slice(1), values: [value.slice(1)], isExcluded: operator === '!=' };
}

/** `value, value)`. */
function listClause(field: string, rest: string[]): Clause | undefined {
  const values = rest.filter((_, index) => index % 2 === 0);
  const marks = rest.filter((_, index) => index % 2 === 1);
  const isList = marks.every((mark, index) => mark === (index === marks.length - 1 ? ')' : ','));
  if (!isList || values.length !== marks.length || !values.every((value) => value.startsWith('=')))
    return undefined;
  return { field, values: values.map((value) => value.slice(1)), isExcluded: false };
}

/** The selector that parses to `clauses`. */
export function formatSelector(clauses: readonly Clause[]): string {
  return clauses
    .map(({ field, values, isExcluded }) => {
      const texts = values.map(quoted);
      if (isExcluded) return `${field} != ${texts[0]}`;
      return texts.length === 1 ? `${field} == ${texts[0]}` : `${field} IN (${texts.join(', ')})`;
    })
    .join(' && ');
}

function quoted(value: string): string {
  return /^[\w.-]+$/.test(value) ? value : `"${value.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** Whether all clauses match, with the texts that `read` finds. */
export function matches(clauses: readonly Clause[], read: (field: string) => string | undefined): boolean {
  return clauses.every(({ field, values, isExcluded }) => {
    const actual = read(field);
    return isExcluded ? actual !== values[0] : actual !== undefined && values.includes(actual);
  });
}

/** The one value that a selector wants of a field; empty for any. */
export function facetOf(selector: string | undefined, field: string): string {
  const clause = parseSelector(selector ?? '')?.find((one) => one.field === field && !one.isExcluded);
  return clause?.values.length === 1 ? (clause.values[0] ?? '') : '';
}

/** The selector with another value of a field; without one for an empty value. */
export function withFacet(selector: string | undefined, field: string, value: string): string {
  const others = (parseSelector(selector ?? '') ?? []).filter((one) => one.field !== field);
  const added: Clause[] = value === '' ? [] : [{ field, values: [value], isExcluded: false }];
  return formatSelector([...others, ...added]);
}
