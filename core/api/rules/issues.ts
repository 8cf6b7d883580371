import type { z } from 'zod';
import { type ErrorDetail, maxDetails } from '../../lib/errors.ts';

/** The invalid fields that zod found, one row each; an unknown key is reported under its own path. */
export function detailsOf(error: z.ZodError): ErrorDetail[] {
  const details = error.issues.slice(0, maxDetails).flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ path: pathOf(issue.path), message: messageOf(issue) }];
    }
    return issue.keys
      .slice(0, maxDetails)
      .map((key) => ({ path: pathOf([...issue.path, key]), message: 'unknown field' }));
  });
  return details.slice(0, maxDetails);
}

/** Dotted, with indexes in brackets: `spec.chain.ethereum.participants[0].count`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function messageOf(issue: z.core.$ZodIssue): string {
  const isMissing = issue.code === 'invalid_type' && /received undefined$/.test(issue.message);
  if (isMissing) return 'required';
  const isEmpty = issue.code === 'too_small' && issue.minimum === 1 && issue.message.startsWith('Too small');
  return isEmpty && issue.origin === 'string' ? 'must not be empty' : issue.message;
}
