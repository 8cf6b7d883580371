import { AppError } from '../../../core/lib/errors.ts';

/** The entity tag of a revision. */
export function etagOf(rev: number): string {
  return `"${rev}"`;
}

/**
 * The revisions that `If-Match` allows; undefined when it is absent or `*`. Throws BadRequest when it is not readable.
 * A weak tag never matches (RFC 9110, 13.1.1).
 */
export function revisionsOf(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag))) {
    throw new AppError('BadRequest', 'If-Match is not readable: send the ETag of a GET as it is, in quotes');
  }
  return tags.filter((tag) => /^"\d+"$/.test(tag)).map((tag) => Number(tag.slice(1, -1)));
}
