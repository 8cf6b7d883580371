import { formatToken, hashOfSecret, newSecret } from '../../../core/accounts/credentials.ts';
import { isId, newId, type RandomBytes } from '../../../core/accounts/ids.ts';
import { ownedBy } from '../../../core/accounts/objects.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { SessionResource } from '../../../core/api/resources/accountResources.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import { sessionType } from '../../../core/api/resources/resources.ts';
import type { Session } from '../../../core/api/rest/session.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { currentSource } from '../../http/limits/source.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { createOnce } from '../../store/createOnce.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { WorkspaceDeps } from '../deps.ts';
import { accountPage, listLive } from '../list.ts';
import { hasEnded } from './sessionSource.ts';

const lifetimeMs = 12 * 3_600_000;
/** The sessions of a user: at one more, the oldest one ends. */
const maxSessions = 20;
const maxUserAgentLength = 256;

/** Signs in with an API key. */
export function createSession(deps: WorkspaceDeps): Handler<'createSession'> {
  const { kube, directory, cookies } = deps;
  return async ({ body, random, idempotencyMark: mark, userAgent }) => {
    if (!cookies) throw needsTls();
    const caller = await deps.keyHolder(body.apiKey);
    const secret = newSecret('session', random);
    const owner = await ownerOf(deps, caller);
    const object = newSession(deps, { caller, owner, secret, random, userAgent });
    const created = await createOnce(kube, { type: sessionType, object, mark });
    directory.sessions.observe(created);
    await endOldest(deps, caller.userId);
    return {
      body: toSession(created, { sessionId: created.metadata.name }),
      cookie: cookies.keep(formatToken(created.metadata.name, secret)),
      location: `/v1alpha1/sessions/${created.metadata.name}`,
      objects: [describe(created), `API key ${caller.keyId}`],
    };
  };
}

/** The caller's sessions, by id. */
export function listSessions(deps: WorkspaceDeps): Handler<'listSessions'> {
  return async ({ principal, query }) => {
    const nowMs = deps.clock.nowMs();
    const stored = await listLive(deps, sessionType, { 'spec.user': principal.userId });
    return accountPage(deps, {
      ...{ kind: 'SessionList', endpoint: 'listSessions', principal, query },
      items: stored.filter((session) => !hasEnded(session, nowMs)),
      keyOf: ({ metadata }) => metadata.name,
      toRest: (session) => toSession(session, principal),
    });
  };
}

/** Signs out here, or elsewhere. */
export function deleteSession(deps: WorkspaceDeps): Handler<'deleteSession'> {
  const { directory, cookies } = deps;
  return async ({ principal, params }) => {
    const id = params.sessionId === 'current' ? principal.sessionId : params.sessionId;
    const session = id === undefined ? undefined : await directory.sessions.find(id);
    if (!session || session.spec.user !== principal.userId) throw unknownSession();
    if (!(await end(deps, session))) throw unknownSession();
    const isCurrent = session.metadata.name === principal.sessionId;
    return {
      body: undefined,
      objects: [describe(session)],
      ...compact({ cookie: isCurrent ? cookies?.remove() : undefined }),
    };
  };
}

async function end({ kube, directory }: WorkspaceDeps, session: Stored<SessionResource>): Promise<boolean> {
  const { metadata } = session;
  const wasThere = await forCaller(kube.delete(sessionType, metadata, { uid: metadata.uid }));
  directory.sessions.forget(session);
  return wasThere;
}

/** Nobody else's session ends by it: each user has as many. */
async function endOldest(deps: WorkspaceDeps, userId: string): Promise<void> {
  const stored = await listLive(deps, sessionType, { 'spec.user': userId });
  const startMs = ({ metadata }: Stored<SessionResource>) => parseRfc3339(metadata.creationTimestamp) ?? 0;
  const newestFirst = stored.toSorted((a, b) => startMs(b) - startMs(a));
  for (const session of newestFirst.slice(maxSessions)) await end(deps, session);
}

/** A session goes with its key; that of the first key, which is not an object, with the administrator. */
async function ownerOf(
  { directory }: WorkspaceDeps,
  { keyId, userId }: Principal,
): Promise<Stored<KubeObject>> {
  const key = isId('apiKey', keyId) ? await directory.apiKeys.find(keyId) : undefined;
  const owner = key ?? (await directory.users.find(userId));
  if (!owner)
    throw new AppError('Unavailable', 'the account is not there yet: retry', { retryAfterSeconds: 1 });
  return owner;
}

interface NewSession {
  caller: Principal;
  owner: Stored<KubeObject>;
  secret: string;
  random: RandomBytes;
  userAgent: string | undefined;
}

function newSession(
  { namespace, pepper, clock }: WorkspaceDeps,
  { caller, owner, secret, random, userAgent }: NewSession,
): SessionResource {
  return {
    apiVersion,
    kind: 'Session',
    metadata: {
      name: newId('session', random),
      namespace,
      labels: { [labels.user]: caller.userId },
      ownerReferences: [ownedBy(owner)],
    },
    spec: {
      user: caller.userId,
      apiKey: caller.keyId,
      expiresAt: toRfc3339(clock.nowMs() + lifetimeMs),
      ...compact({
        userAgent: userAgent?.slice(0, maxUserAgentLength),
        source: currentSource() || undefined,
      }),
      secretHash: hashOfSecret(pepper, 'session', secret).toString('hex'),
    },
  };
}

function toSession(
  { metadata, spec, status }: Stored<SessionResource>,
  caller: { sessionId?: string },
): Session {
  return {
    kind: 'Session',
    version: 'v1alpha1',
    id: metadata.name,
    userID: spec.user,
    apiKeyID: spec.apiKey,
    isCurrent: metadata.name === caller.sessionId,
    expiresAt: spec.expiresAt,
    ...compact({
      ...{ userAgent: spec.userAgent, source: spec.source },
      ...{ createdAt: metadata.creationTimestamp, lastUsedAt: status?.lastUsedAt },
    }),
  };
}

const describe = ({ metadata, spec }: Stored<SessionResource>) => `session ${metadata.name} of ${spec.user}`;

function unknownSession(): AppError {
  return new AppError('NotFound', 'session not found: it may have ended; check the id');
}

function needsTls(): AppError {
  return new AppError(
    'Forbidden',
    'signing in needs TLS: set ingress.tlsSecret, or publicUrl to the https:// address of the proxy that terminates TLS',
  );
}
