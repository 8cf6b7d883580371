import type { z } from 'zod';

const defaultText = /^(Invalid|Too (small|big)|Unrecognized)/;

/** What is wrong and what to send instead. The schema's own message where it has one, otherwise zod's in plain words. */
export function issueText(issue: z.core.$ZodIssue): string {
  if (!defaultText.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return typeText(issue);
    case 'invalid_value':
      return valuesText(issue.values);
    case 'too_small':
      return smallText(issue);
    case 'too_big':
      return bigText(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'in another form'}`;
    case 'invalid_key':
      return `has a name that is not allowed: it ${issue.issues.map(issueText).join(', and ')}`;
    case 'invalid_union':
      return 'has none of the forms that are allowed here';
    default:
      return issue.message;
  }
}

const formatNames: Readonly<Record<string, string>> = {
  url: 'a URL such as https://example.com',
  email: 'an email address',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  uuid: 'a UUID',
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  NaN: 'text',
  record: 'an object',
};

/** zod keeps what was received in its message alone. */
function typeText({ expected, message }: z.core.$ZodIssueInvalidType): string {
  const [, received = ''] = / received (\w+)$/.exec(message) ?? [];
  if (received === 'undefined') return 'required';
  const wanted = `must be ${typeNames[expected] ?? expected}`;
  // A fraction is a number, too.
  return expected === 'int' && received === 'number'
    ? wanted
    : `${wanted}, not ${typeNames[received] ?? received}`;
}

function valuesText(values: readonly z.core.util.Primitive[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
  return texts.length === 1 ? `must be ${texts[0]}` : `use one of ${texts.join(', ')}`;
}

function smallText({ origin, minimum, inclusive, exact }: z.core.$ZodIssueTooSmall): string {
  if (minimum === 1 && origin === 'string') return 'must not be empty';
  if (exact) return countText(origin, 'exactly', minimum);
  if (inclusive === false) return `must be more than ${minimum}`;
  return countText(origin, 'at least', minimum);
}

function bigText({ origin, maximum, inclusive, exact }: z.core.$ZodIssueTooBig): string {
  if (exact) return countText(origin, 'exactly', maximum);
  if (inclusive === false) return `must be less than ${maximum}`;
  return countText(origin, 'at most', maximum);
}

const counted: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'entry',
  set: 'entry',
  map: 'entry',
};

function countText(origin: string, bound: string, limit: number | bigint): string {
  const unit = counted[origin];
  if (unit === undefined) return `must be ${bound} ${limit}`;
  const plural = unit === 'entry' ? 'entries' : `${unit}s`;
  return `must have ${bound} ${limit} ${Number(limit) === 1 ? unit : plural}`;
}
