import { AppError } from '../lib/errors.ts';

/** Whether a set of labels matches a selector. */
export type LabelMatcher = (labels: Record<string, string> | undefined) => boolean;

/**
 * Parses a label selector in the syntax of kubectl: `a=b, a!=b, a in (b,c), a notin (b,c), a, !a`, joined by commas.
 * An empty selector matches everything. Throws BadRequest when it is invalid.
 */
export function parseLabelSelector(selector: string | undefined): LabelMatcher {
  const clauses = splitClauses(selector ?? '').map(parseClause);
  return (labels = {}) => clauses.every((fits) => fits(labels));
}

/** Commas within parentheses belong to a clause. */
function splitClauses(selector: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  let isInList = false;
  for (let at = 0; at <= selector.length; at++) {
    const character = selector[at];
    if (character === '(') isInList = true;
    if (character === ')') isInList = false;
    if (character !== undefined && (character !== ',' || isInList)) continue;
    clauses.push(selector.slice(start, at).trim());
    start = at + 1;
  }
  return clauses.filter((clause) => clause !== '');
}

function parseClause(clause: string): (labels: Record<string, string>) => boolean {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(clause);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    if (operator === 'in') return (labels) => key in labels && values.has(labels[key] ?? '');
    return (labels) => !(key in labels) || !values.has(labels[key] ?? '');
  }
  const equality = /^([^\s!=]+)\s*(==|=|!=)\s*([^\s!=]*)$/.exec(clause);
  if (equality) {
    const [, key = '', operator, value = ''] = equality;
    return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
  }
  const existence = /^(!?)\s*([^\s!=(),<>]+)$/.exec(clause);
  if (!existence) throw new AppError('BadRequest', `invalid label selector: ${clause}`);
  const [, negation, key = ''] = existence;
  return (labels) => key in labels !== (negation === '!');
}

/** A value for a field selector, in which backslashes, commas and equals signs are escaped (k8s.io/apimachinery, fields.EscapeValue). */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, '\\$&');
}

/**
 * Parses a field selector: `metadata.name=a,spec.x!=b`, with values as `escapeFieldValue` writes them. Throws BadRequest
 * when it is invalid.
 */
export function parseFieldSelector(selector: string | undefined): (object: object) => boolean {
  const texts = (selector ?? '').match(/(?:\\.|[^\\,])+/g) ?? [];
  const clauses = texts.map((clause) => {
    const match = /^([\w.]+)(==|=|!=)((?:\\[\\,=]|[^\\,=])*)$/.exec(clause);
    if (!match) throw new AppError('BadRequest', `invalid field selector: ${clause}`);
    const [, path = '', operator, escaped = ''] = match;
    const value = escaped.replaceAll(/\\(.)/g, '$1');
    return (object: object) => (fieldAt(object, path) === value) === (operator !== '!=');
  });
  return (object) => clauses.every((fits) => fits(object));
}

function fieldAt(object: object, path: string): string {
  const found = path.split('.').reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, object);
  return found === undefined || found === null ? '' : String(found);
}
