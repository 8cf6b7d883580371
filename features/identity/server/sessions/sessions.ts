import type { Handler } from '../../../../apiserver/http/pipeline/handler.ts';
import { accountPage, listLive } from '../../../../apiserver/workspaces/list.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { sessionType } from '../../api/resources/session.ts';
import type { IdentityDeps } from '../deps.ts';
import { isCurrent } from './generation.ts';
import { describeSession, toSession } from './mapping.ts';
import { endSession, openSession, requireCookies } from './openSession.ts';
import { hasEnded } from './sessionSource.ts';

/** Signs in with an API key. */
export function createSession(deps: IdentityDeps): Handler<'createSession'> {
  return async (call) => {
    requireCookies(deps);
    const { userId, keyId } = await deps.keyHolder(call.body.apiKey);
    // The session ends with its key, whenever that is revoked.
    const signedIn = { userId, method: 'apiKey', apiKey: keyId, stillCounts: () => true } as const;
    return openSession(deps, signedIn, call);
  };
}

/** The caller's sessions, by id. */
export function listSessions(deps: IdentityDeps): Handler<'listSessions'> {
  return async ({ principal, query }) => {
    const nowMs = deps.clock.nowMs();
    const stored = await listLive(deps, sessionType, { 'spec.user': principal.userId });
    // One that was being opened while a way to sign in was removed is there, but of no use.
    const user = await deps.directory.users.findLive(principal.userId);
    const isOpen = (one: (typeof stored)[number]) => !hasEnded(one, nowMs) && user && isCurrent(one, user);
    return accountPage(deps, {
      kind: 'SessionList',
      endpoint: 'listSessions',
      principal,
      query,
      items: stored.filter(isOpen),
      keyOf: ({ metadata }) => metadata.name,
      toRest: (session) => toSession(session, principal),
    });
  };
}

/** Signs out here, or elsewhere. */
export function deleteSession(deps: IdentityDeps): Handler<'deleteSession'> {
  const { sessions, cookies } = deps;
  return async ({ principal, params }) => {
    const id = params.sessionId === 'current' ? principal.sessionId : params.sessionId;
    const session = id === undefined ? undefined : await sessions.find(id);
    if (!session || session.spec.user !== principal.userId) throw unknownSession();
    if (!(await endSession(deps, session))) throw unknownSession();
    const isCurrent = session.metadata.name === principal.sessionId;
    return {
      body: undefined,
      objects: [describeSession(session)],
      ...compact({ cookie: isCurrent ? cookies?.remove() : undefined }),
    };
  };
}

function unknownSession(): AppError {
  return new AppError('NotFound', 'session not found: it may have ended; check the id');
}
