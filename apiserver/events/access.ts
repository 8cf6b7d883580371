import type { KeySource } from '../http/auth/keySource.ts';
import type { HasAccess } from './streams.ts';

/** A key has the same access while it exists, its user is a member of the workspace, and both allow the same. */
export function createHasAccess(keySource: KeySource): HasAccess {
  return async ({ keyId, workspaceId, permissions }) => {
    const key = await keySource.find(keyId);
    const isOwn = key?.principal?.workspaceId === workspaceId;
    const now = isOwn ? key.principal : await key?.enter?.(workspaceId);
    return now !== undefined && isSame(now.permissions, permissions);
  };
}

function isSame<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value));
}
