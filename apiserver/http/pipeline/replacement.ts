import type { KubeObject, Stored } from '../../../core/api/resources/kubeObject.ts';
import { AppError, type ErrorDetail, refusalWith } from '../../../core/lib/errors.ts';

/** A member of the body that must be what it is, if it is given. */
export type FixedMember = [path: string, given: string | undefined, actual: string];

interface Identified {
  id?: string | undefined;
  name?: string | undefined;
  metadata?: { name?: string | undefined; rev?: number | undefined } | undefined;
}

/** Throws BadRequest unless id and name, and what else is fixed, are those of the object or absent. */
export function checkIdentity(
  { metadata }: Stored<KubeObject>,
  body: Identified,
  others: readonly FixedMember[] = [],
): void {
  const { uid, name } = metadata;
  const fixed: FixedMember[] = [
    ['id', body.id, uid],
    ['name', body.name, name],
    ['metadata.name', body.metadata?.name, name],
    ...others,
  ];
  const details: ErrorDetail[] = fixed
    .filter(([, given, actual]) => given !== undefined && given !== actual)
    .map(([path, , actual]) => ({ path, message: `immutable: send "${actual}" or omit it` }));
  if (details.length > 0) throw refusalWith('the request changes immutable fields', details);
}

/**
 * Throws Conflict unless the object, `what`, still has the revision of `metadata.rev` and one of those that If-Match
 * allows, as far as they are given.
 */
export function checkRevision(
  what: string,
  { metadata }: Stored<KubeObject>,
  given: { body: Identified; allowedRevs: readonly number[] | undefined },
): void {
  const rev = metadata.generation ?? 0;
  const { rev: own = rev } = given.body.metadata ?? {};
  const { allowedRevs = [rev] } = given;
  if (own === rev && allowedRevs.includes(rev)) return;
  const remedy = 'read it again and apply your change to that revision';
  throw new AppError('Conflict', `the ${what} was modified; its revision is now ${rev}: ${remedy}`);
}
