import type { KeySource } from '../http/auth/keySource.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { HasAccess } from './accessWatch.ts';

/** What callers authenticate with. */
export interface Credentials {
  keys: KeySource;
  /** Browsers that are signed in. */
  sessions: KeySource;
}

/**
 * A key has the same access while it exists, its user is a member of the workspace, and both allow the same. A browser also
 * has to be signed in.
 */
export function createHasAccess({ keys, sessions }: Credentials): HasAccess {
  const find = ({ keyId, sessionId }: Principal) =>
    sessionId === undefined ? keys.find(keyId ?? '') : sessions.find(sessionId);
  return async (principal) => {
    const { workspaceId, permissions } = principal;
    const known = await find(principal);
    const isOwn = known?.principal?.workspaceId === workspaceId;
    const now = isOwn ? known.principal : await known?.enter?.(workspaceId);
    return now !== undefined && isSame(now.permissions, permissions);
  };
}

function isSame<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value));
}
