import { type DefaultWorkspace, isId } from '../../core/accounts/ids.ts';
import type { ApiKeyResource, MembershipResource } from '../../core/api/accountResources.ts';
import { type Clock, parseRfc3339 } from '../../core/lib/clock.ts';
import type { KeySource, KnownKey } from '../http/keySource.ts';
import type { Directory } from './directory.ts';
import type { NoteUse } from './lastUse.ts';
import { type Grant, principalOf, standingOf } from './principals.ts';

export interface AccountKeySourceOptions {
  directory: Directory;
  /** The key that the installation began with; it is known whatever the cluster says. */
  bootstrap: KeySource;
  defaultWorkspace: DefaultWorkspace;
  noteUse: NoteUse;
  clock: Clock;
}

/**
 * API keys out of the cluster. A key is good while it has not expired and the very membership that it was made under
 * is there: who is removed and invited again makes new keys.
 */
export function createAccountKeySource(options: AccountKeySourceOptions): KeySource {
  const { directory, bootstrap, defaultWorkspace, noteUse, clock } = options;

  const enterAs = (grant: Grant) => async (workspaceId: string) => {
    const standing = await standingOf(directory, workspaceId, grant.userId);
    return standing && principalOf(grant, standing, defaultWorkspace);
  };

  async function findStored(keyId: string): Promise<KnownKey | undefined> {
    if (!isId('apiKey', keyId)) return undefined;
    const key = await directory.apiKeys.find(keyId);
    if (!key || isExpired(key, clock.nowMs())) return undefined;
    const { workspace, user, role, permissions, secretHash } = key.spec;
    const standing = await standingOf(directory, workspace, user);
    if (!standing || !isMadeUnder(key, standing.membership)) return undefined;
    const grant: Grant = { keyId, userId: user, role, permissions };
    return {
      hash: Buffer.from(secretHash, 'hex'),
      principal: principalOf(grant, standing, defaultWorkspace),
      enter: enterAs(grant),
      noteUse: () => noteUse(key),
    };
  }

  return {
    async find(keyId) {
      const first = await bootstrap.find(keyId);
      if (!first) return findStored(keyId);
      const { userId, role } = first.principal;
      return { ...first, enter: enterAs({ keyId, userId, role }) };
    },
  };
}

function isExpired({ spec }: ApiKeyResource, nowMs: number): boolean {
  const expiresMs = parseRfc3339(spec.expiresAt);
  return expiresMs !== undefined && expiresMs <= nowMs;
}

/** Whether a key belongs to this membership, and not to an earlier one of the same name. */
export function isMadeUnder(key: ApiKeyResource, membership: MembershipResource): boolean {
  return (key.metadata.ownerReferences ?? []).some(({ uid }) => uid === membership.metadata.uid);
}
