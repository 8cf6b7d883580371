import type { KeySource, KnownKey } from '../../../../apiserver/http/auth/keySource.ts';
import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import type { NoteUse } from '../../../../apiserver/workspaces/apiKeys/lastUse.ts';
import type { Directory } from '../../../../apiserver/workspaces/directory/directory.ts';
import type { Lookup } from '../../../../apiserver/workspaces/directory/lookup.ts';
import { principalOf, standingOf } from '../../../../apiserver/workspaces/directory/principals.ts';
import { type DefaultWorkspace, isId } from '../../../../core/accounts/ids.ts';
import { personalWorkspaceOf } from '../../../../core/accounts/objects.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import { userType } from '../../../../core/api/resources/resources.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { type Clock, parseRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import type { SessionResource } from '../../api/resources/session.ts';
import { isCurrent } from './generation.ts';

/** A session that is not used for as long has ended. Its last use is known to the minute. */
const idleMs = 3_600_000;

type Access = Omit<KnownKey, 'hash' | 'noteUse'>;
type Session = Stored<SessionResource>;

interface SessionSourceOptions {
  directory: Directory;
  sessions: Lookup<SessionResource>;
  keys: KeySource;
  defaultWorkspace: DefaultWorkspace;
  noteUse: NoteUse<SessionResource>;
  clock: Clock;
}

/**
 * Sessions as credentials. Where an API key signed in, a session has the access of the key, for as long as the key is
 * valid; any other session has that of its user's memberships, as they are at each request. A session of a former generation
 * counts no longer.
 */
export function createSessionSource(options: SessionSourceOptions): KeySource {
  const { directory, sessions, keys, noteUse, clock } = options;

  async function accessOf(session: Session, user: Stored<UserResource>): Promise<Access | undefined> {
    const { user: userId, apiKey } = session.spec;
    if (apiKey === undefined) return accessOfUser(options, user);
    const key = await keys.find(apiKey);
    return key?.userId === userId ? key : undefined;
  }

  return {
    async find(id) {
      const session = isId('session', id) ? await sessions.find(id) : undefined;
      if (!session || hasEnded(session, clock.nowMs())) return undefined;
      const user = await userOf(directory, session);
      if (!user || !isCurrent(session, user)) return undefined;
      const access = await accessOf(session, user);
      if (!access) return undefined;
      return { ...asSession(access, id), hash: hashIn(session), noteUse: () => noteUse(session) };
    },
  };
}

/** Whether its time is over, or it has not been used for too long. */
export function hasEnded({ metadata, spec, status }: Stored<SessionResource>, nowMs: number): boolean {
  const usedMs = parseRfc3339(status?.lastUsedAt ?? metadata.creationTimestamp) ?? 0;
  return nowMs >= (parseRfc3339(spec.expiresAt) ?? 0) || nowMs >= usedMs + idleMs;
}

/** The user of a session; undefined if the account is gone, also if there is another one with the same id. */
async function userOf(
  { users }: Directory,
  { metadata, spec }: Session,
): Promise<Stored<UserResource> | undefined> {
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === userType.kind);
  if (!owner && spec.apiKey === undefined) return undefined;
  return users.find(spec.user, owner?.uid);
}

/** All that the user may do; in the personal workspace unless a request names another one. */
async function accessOfUser(
  { directory, defaultWorkspace }: SessionSourceOptions,
  user: Stored<UserResource>,
): Promise<Access> {
  const userId = user.metadata.name;
  const enter = async (workspaceId: string) => {
    const standing = await standingOf(directory, workspaceId, userId);
    return standing && principalOf({ userId, role: 'owner' }, standing, defaultWorkspace);
  };
  return { userId, principal: await enter(personalWorkspaceOf(user)), enter };
}

function asSession({ userId, principal, home, enter }: Access, sessionId: string): Access {
  const mark = (caller: Principal | undefined) => caller && { ...caller, sessionId };
  return {
    userId,
    principal: mark(principal),
    ...compact({ home, enter: enter && (async (workspaceId: string) => mark(await enter(workspaceId))) }),
  };
}

const hashIn = ({ spec }: SessionResource) => Buffer.from(spec.secretHash, 'hex');
