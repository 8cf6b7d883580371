import { AppError } from '../../../core/lib/errors.ts';

/** The entity tag of a revision. */
export function etagOf(rev: number): string {
  return `"${rev}"`;
}

/**
 * The revisions that `If-Match` allows; undefined if it is absent or `*`. Throws BadRequest if it is malformed.
 * A weak tag never matches (RFC 9110, 13.1.1).
 */
export function revisionsOf(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag))) {
    throw new AppError(
      'BadRequest',
      'the header If-Match is malformed: send the ETag of a GET unchanged, including its quotes',
    );
  }
  return tags.filter((tag) => /^"\d+"$/.test(tag)).map((tag) => Number(tag.slice(1, -1)));
}
