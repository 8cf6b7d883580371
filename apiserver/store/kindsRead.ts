import { groupsOfAll, type OperationId, operationOf } from '../../core/api/operations/operations.ts';

const kindsOf = new Map(
  groupsOfAll.flatMap(({ operations, reads }) => Object.keys(operations).map((id) => [id, reads] as const)),
);

/** The kinds whose caches an operation reads; all (undefined) where that is not known. */
export function kindsReadBy(id: OperationId): readonly string[] | undefined {
  // The Workspace API reads accounts, and what is not in a cache.
  return kindsOf.get(id) ?? (operationOf(id).api === 'workspace' ? [] : undefined);
}
