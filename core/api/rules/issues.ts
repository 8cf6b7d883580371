import type { z } from 'zod';
import { type ErrorDetail, maxDetails } from '../../lib/errors.ts';
import { issueText } from './issueText.ts';

/**
 * The invalid fields that zod found, one row each; an unknown key is reported under its own path. `value` is what was validated, if its
 * long numbers are texts, as parseExactly makes them.
 */
export function detailsOf(error: z.ZodError, value?: unknown): ErrorDetail[] {
  const isOfOtherType = ({ code }: z.core.$ZodIssue) => code === 'invalid_type';
  const otherTypes = new Set(error.issues.filter(isOfOtherType).map(({ path }) => pathOf(path)));
  const byPath = Map.groupBy(error.issues.filter(isOfText), ({ path }) => pathOf(path));
  const details = error.issues.slice(0, maxDetails).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const path = pathOf(issue.path);
      if (isOfText(issue) && isRepeated(issue, byPath.get(path) ?? [])) return [];
      // What is of another type has no length.
      if (isLength(issue) && otherTypes.has(path)) return [];
      const message = isLongNumber(issue, value) ? tooLong : issueText(issue);
      return [{ path, message }];
    }
    return issue.keys
      .slice(0, maxDetails)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: 'unknown field' }));
  });
  return details.slice(0, maxDetails);
}

const tooLong = `use a number of at most ${Number.MAX_SAFE_INTEGER}, which JSON can hold exactly`;

/** Whether a number was expected where a number stands that a double cannot hold. */
function isLongNumber(issue: z.core.$ZodIssue, value: unknown): boolean {
  const isPlain =
    issue.code === 'invalid_type' && /^Invalid input: expected \w+, received string$/.test(issue.message);
  if (!isPlain || !['number', 'int'].includes(issue.expected)) return false;
  const given = issue.path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  );
  return typeof given === 'string' && /^-?\d{16,}$/.test(given);
}

/** Whether another issue of the same text says it: of the length where the form is wrong, too, or of anything where it is empty. */
function isRepeated(issue: z.core.$ZodIssue, ofText: readonly z.core.$ZodIssue[]): boolean {
  if (isEmptiness(issue)) return false;
  return ofText.some((other) => isEmptiness(other) || (isLength(issue) && other.code === 'invalid_format'));
}

const isOfText = (issue: z.core.$ZodIssue): boolean => issue.code === 'invalid_format' || isLength(issue);

const isLength = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'string';

const isEmptiness = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1;

/** Dotted, with indexes in brackets: `spec.chain.ethereum.participants[0].count`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (part === '') return `${text}[""]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
