import { idOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import type { KubeObject, Stored } from '../../../core/api/resources/kubeObject.ts';
import { AppError, type ErrorDetail, refusalWith } from '../../../core/lib/errors.ts';

/** A member of the body that must be what it is, if it is given. */
export type FixedMember = [path: string, given: string | undefined, actual: string];

interface Identified {
  id?: string | undefined;
  name?: string | undefined;
  ownerID?: string | undefined;
  metadata?:
    | { name?: string | undefined; rev?: number | undefined; ownerID?: string | undefined }
    | undefined;
}

/** Throws BadRequest unless id and name, and what else is fixed, are those of the object or absent. */
export function checkIdentity(
  object: Stored<KubeObject>,
  body: Identified,
  others: readonly FixedMember[] = [],
): void {
  const { name, labels: given } = object.metadata;
  const owner = given?.[labels.owner];
  const fixed: FixedMember[] = [
    ['id', body.id, idOf(object)],
    ['name', body.name, name],
    ['metadata.name', body.metadata?.name, name],
    ...(owner === undefined ? [] : ownerOf(body, owner)),
    ...others,
  ];
  const details: ErrorDetail[] = fixed
    .filter(([, given, actual]) => given !== undefined && given !== actual)
    .map(([path, , actual]) => ({ path, message: `immutable: send "${actual}" or omit it` }));
  if (details.length > 0) throw refusalWith('the request changes immutable fields', details);
}

const ownerOf = ({ ownerID, metadata }: Identified, owner: string): FixedMember[] => [
  ['ownerID', ownerID, owner],
  ['metadata.ownerID', metadata?.ownerID, owner],
];

interface Revision {
  body: Identified;
  /** Those of If-Match; undefined without it. */
  allowedRevs: readonly number[] | undefined;
  /** Whether the object is already what the body makes of it. */
  isApplied: boolean;
}

/**
 * Throws Conflict unless the object, `what`, still has the revision of `metadata.rev` and one of those that If-Match
 * allows, as far as they are given. A change that led from that revision to this one is sent again because its answer was
 * lost: it succeeds (RFC 9110, 13.1.1).
 */
export function checkRevision(
  what: string,
  { metadata }: Stored<KubeObject>,
  { body, isApplied, ...given }: Revision,
): void {
  const rev = metadata.generation ?? 0;
  const { rev: own = rev } = body.metadata ?? {};
  const { allowedRevs = [rev] } = given;
  const isRight = (one: number) => one === rev || (isApplied && one === rev - 1);
  if (isRight(own) && allowedRevs.some(isRight)) return;
  const remedy = 'read it again and apply your change to that revision';
  throw new AppError('Conflict', `the ${what} was modified; its revision is now ${rev}: ${remedy}`);
}
