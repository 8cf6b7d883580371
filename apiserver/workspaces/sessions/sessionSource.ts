import { isId } from '../../../core/accounts/ids.ts';
import type { SessionResource } from '../../../core/api/resources/accountResources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { type Clock, parseRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { KeySource, KnownKey } from '../../http/auth/keySource.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { NoteUse } from '../apiKeys/lastUse.ts';
import type { Directory } from '../directory/directory.ts';

/** A session that is not used for as long has ended. Its last use is known to the minute. */
const idleMs = 3_600_000;

interface SessionSourceOptions {
  directory: Pick<Directory, 'sessions'>;
  keys: KeySource;
  noteUse: NoteUse<SessionResource>;
  clock: Clock;
}

/** Sessions as credentials: each has the access of the API key that signed in, for as long as the key is valid. */
export function createSessionSource({ directory, keys, noteUse, clock }: SessionSourceOptions): KeySource {
  return {
    async find(id) {
      const session = isId('session', id) ? await directory.sessions.find(id) : undefined;
      if (!session || hasEnded(session, clock.nowMs())) return undefined;
      const key = await keys.find(session.spec.apiKey);
      if (key?.userId !== session.spec.user) return undefined;
      return { ...asSession(key, id), hash: hashIn(session), noteUse: () => noteUse(session) };
    },
  };
}

/** Whether its time is over, or it has not been used for too long. */
export function hasEnded({ metadata, spec, status }: Stored<SessionResource>, nowMs: number): boolean {
  const usedMs = parseRfc3339(status?.lastUsedAt ?? metadata.creationTimestamp) ?? 0;
  return nowMs >= (parseRfc3339(spec.expiresAt) ?? 0) || nowMs >= usedMs + idleMs;
}

function asSession({ userId, principal, enter }: KnownKey, sessionId: string): Omit<KnownKey, 'hash'> {
  const mark = (caller: Principal | undefined) => caller && { ...caller, sessionId };
  return {
    userId,
    principal: mark(principal),
    ...compact({ enter: enter && (async (workspaceId: string) => mark(await enter(workspaceId))) }),
  };
}

const hashIn = ({ spec }: SessionResource) => Buffer.from(spec.secretHash, 'hex');
