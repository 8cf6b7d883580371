import { type DefaultWorkspace, isId, membershipName } from '../../../core/accounts/ids.ts';
import type { ApiKeyResource } from '../../../core/api/resources/accountResources.ts';
import { membershipType } from '../../../core/api/resources/resources.ts';
import { type Clock, parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { KeySource, KnownKey } from '../../http/auth/keySource.ts';
import type { Directory } from '../directory/directory.ts';
import { type Grant, principalOf, standingOf } from '../directory/principals.ts';
import type { NoteUse } from './lastUse.ts';

export interface AccountKeySourceOptions {
  directory: Directory;
  /** The first key of the installation. */
  bootstrap: LiveKeySource;
  defaultWorkspace: DefaultWorkspace;
  noteUse: NoteUse<ApiKeyResource>;
  clock: Clock;
}

/** Also finds keys as the cluster has them: another replica may have just revoked one. */
export interface LiveKeySource extends KeySource {
  findLive(keyId: string): Promise<KnownKey | undefined>;
}

/**
 * API keys stored in the cluster. A key is valid while it has not expired and the membership that it was created under
 * exists: a user who is removed and invited again must create new keys. The first key of an account is created under
 * the membership of the personal workspace, so that nobody else can lock its user out.
 */
export function createAccountKeySource(options: AccountKeySourceOptions): LiveKeySource {
  const { directory, bootstrap, defaultWorkspace, noteUse, clock } = options;

  const enterAs = (grant: Grant) => async (workspaceId: string) => {
    const standing = await standingOf(directory, workspaceId, grant.userId);
    return standing && principalOf(grant, standing, defaultWorkspace);
  };

  async function find(keyId: string, read: 'find' | 'findLive'): Promise<KnownKey | undefined> {
    const first = await bootstrap[read](keyId);
    if (!first?.principal) return findStored(keyId, read);
    const { userId, role } = first.principal;
    return { ...first, enter: enterAs({ keyId, userId, role }) };
  }

  async function findStored(keyId: string, read: 'find' | 'findLive'): Promise<KnownKey | undefined> {
    if (!isId('apiKey', keyId)) return undefined;
    const key = await directory.apiKeys[read](keyId);
    if (!key || isExpired(key, clock.nowMs()) || !(await hasFounder(directory, key))) return undefined;
    const home = founderOf(key)?.workspaceId;
    const { workspace, user: userId, role, permissions, secretHash } = key.spec;
    const enter = enterAs({ keyId, userId, role, permissions });
    return {
      hash: Buffer.from(secretHash, 'hex'),
      userId,
      principal: await enter(workspace),
      ...compact({ home }),
      enter,
      noteUse: () => noteUse(key),
    };
  }

  return { find: (keyId) => find(keyId, 'find'), findLive: (keyId) => find(keyId, 'findLive') };
}

/** Whether a key has expired. */
export function isExpired({ spec }: ApiKeyResource, nowMs: number): boolean {
  const expiresMs = parseRfc3339(spec.expiresAt);
  return expiresMs !== undefined && expiresMs <= nowMs;
}

/** Whether the membership that a key was created under, and its workspace, exist and belong to the key's user. */
export async function hasFounder(directory: Directory, key: ApiKeyResource): Promise<boolean> {
  const founder = founderOf(key);
  if (!founder) return false;
  const { workspaceId, uid } = founder;
  // A replica that is behind still has the membership before this one.
  const membership = await directory.memberships.find(membershipName(workspaceId, key.spec.user), uid);
  return membership !== undefined && (await standingOf(directory, workspaceId, key.spec.user)) !== undefined;
}

/** The membership that a key was created under: its workspace and its uid, which is never reused. */
export function founderOf({
  metadata,
  spec,
}: ApiKeyResource): { workspaceId: string; uid: string } | undefined {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === membershipType.kind);
  const [workspaceId, user] = owner?.name.split('.') ?? [];
  return owner && workspaceId && user === spec.user ? { workspaceId, uid: owner.uid } : undefined;
}
