import type { Principal } from '../../../../apiserver/http/auth/principal.ts';
import { currentSource } from '../../../../apiserver/http/limits/source.ts';
import type { WholeReply } from '../../../../apiserver/http/pipeline/handler.ts';
import { createOnce } from '../../../../apiserver/store/createOnce.ts';
import { forCaller } from '../../../../apiserver/store/kubeErrors.ts';
import { listLive } from '../../../../apiserver/workspaces/list.ts';
import type { FirstSession, SignInRequest } from '../../../../apiserver/workspaces/signIn.ts';
import { formatToken, hashOfSecret, newSecret } from '../../../../core/accounts/credentials.ts';
import { isId, newId } from '../../../../core/accounts/ids.ts';
import { apiVersion, labels } from '../../../../core/api/names.ts';
import type { UserResource } from '../../../../core/api/resources/accountResources.ts';
import { type KubeObject, ownerReferenceTo } from '../../../../core/api/resources/kubeObject.ts';
import type { Stored } from '../../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../../core/lib/clock.ts';
import { compact } from '../../../../core/lib/compact.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { type SessionResource, sessionType } from '../../api/resources/session.ts';
import type { Session, SessionMethod } from '../../api/rest/session.ts';
import type { IdentityDeps } from '../deps.ts';
import { beginGeneration, generationOf } from './generation.ts';
import { describeSession, toSession } from './mapping.ts';

const lifetimeMs = 12 * 3_600_000;
/** The sessions of a user: at one more, the oldest one ends. */
const maxSessions = 20;
const maxUserAgentLength = 256;

/** Whose session it is, and how they signed in. */
export interface SignedIn {
  userId: string;
  method: SessionMethod;
  /** The API key that signed in, which the session has the access of. */
  apiKey?: string | undefined;
  /**
   * Whether what they have shown still signs this user in, as the cluster has it: asked after the user was read, so that the
   * session ends with whatever is changed or removed from then on.
   */
  stillCounts(user: Stored<UserResource>): boolean | Promise<boolean>;
}

/** Throws Forbidden where a session's cookie would cross the network in plain text. */
export function requireCookies({ cookies }: Pick<IdentityDeps, 'cookies'>) {
  if (cookies) return cookies;
  throw new AppError(
    'Forbidden',
    'signing in needs TLS: set ingress.tlsSecret, or publicUrl to the https:// address of the proxy that terminates TLS',
  );
}

/**
 * Opens a session for whoever has proven to be a user, by whichever way: makes the object, and answers with the cookie
 * and what the audit line says. The answer must reach the user's own browser: its operation has `isSignIn`.
 */
export async function openSession(
  deps: IdentityDeps,
  signedIn: SignedIn,
  request: SignInRequest,
): Promise<WholeReply<Session> & { body: Session }> {
  const { stored, cookie } = await prepareSession(deps, signedIn, request);
  await endOldest(deps, signedIn.userId);
  return {
    body: toSession(stored, { sessionId: stored.metadata.name }),
    cookie,
    location: `/v1alpha1/sessions/${stored.metadata.name}`,
    objects: [describeSession(stored), ...(signedIn.apiKey ? [`API key ${signedIn.apiKey}`] : [])],
  };
}

export interface NewSession extends FirstSession {
  stored: Stored<SessionResource>;
}

/** Makes a session that is not given out yet. No other one ends by it. */
export async function prepareSession(
  deps: IdentityDeps,
  signedIn: SignedIn,
  request: SignInRequest,
): Promise<NewSession> {
  const { kube, directory } = deps;
  const cookies = requireCookies(deps);
  const user = await directory.users.findLive(signedIn.userId);
  if (!user)
    throw new AppError('Unavailable', 'the account is not there yet: retry', { retryAfterSeconds: 1 });
  if (!(await signedIn.stillCounts(user)))
    throw new AppError('Unauthorized', 'this way to sign in was changed or removed meanwhile: sign in again');
  const secret = newSecret('session', request.random);
  const object = await newSession(deps, { ...signedIn, user, secret }, request);
  const stored = await createOnce(kube, { type: sessionType, object, mark: request.idempotencyMark });
  return { stored, cookie: cookies.keep(formatToken(stored.metadata.name, secret)) };
}

/** Ends a session on all replicas. False if it is gone already. */
export async function endSession(
  { kube }: Pick<IdentityDeps, 'kube'>,
  session: Stored<SessionResource>,
): Promise<boolean> {
  const { metadata } = session;
  return forCaller(kube.delete(sessionType, metadata, { uid: metadata.uid }));
}

/**
 * Ends all sessions of the caller but the one of this request, after a way to sign in was removed. Those that are being opened with
 * it end as well.
 */
export async function endOtherSessions(
  deps: IdentityDeps,
  caller: Pick<Principal, 'userId' | 'sessionId'>,
): Promise<void> {
  await beginGeneration(deps, caller);
  await removeOtherSessions(deps, caller);
}

/** Deletes the sessions that have ended by another generation. */
export async function removeOtherSessions(
  deps: IdentityDeps,
  { userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>,
): Promise<void> {
  const stored = await listLive(deps, sessionType, { 'spec.user': userId });
  const others = stored.filter(({ metadata }) => metadata.name !== sessionId);
  for (const session of others) await endSession(deps, session);
}

/** Nobody else's session ends by it: each user has as many. */
async function endOldest(deps: IdentityDeps, userId: string): Promise<void> {
  const stored = await listLive(deps, sessionType, { 'spec.user': userId });
  const startMs = ({ metadata }: Stored<SessionResource>) => parseRfc3339(metadata.creationTimestamp) ?? 0;
  const newestFirst = stored.toSorted((a, b) => startMs(b) - startMs(a));
  for (const session of newestFirst.slice(maxSessions)) await endSession(deps, session);
}

/** A session goes with its key; without one, and with the first key, which is not an object, it goes with its user. */
async function ownerOf({ directory }: IdentityDeps, { apiKey, user }: Opened): Promise<Stored<KubeObject>> {
  const key =
    apiKey !== undefined && isId('apiKey', apiKey) ? await directory.apiKeys.find(apiKey) : undefined;
  return key ?? user;
}

type Opened = SignedIn & { user: Stored<UserResource> };

async function newSession(
  deps: IdentityDeps,
  { secret, ...signedIn }: Opened & { secret: string },
  { random, userAgent }: SignInRequest,
): Promise<SessionResource> {
  const { namespace, pepper, clock } = deps;
  const { userId, method, apiKey, user } = signedIn;
  return {
    apiVersion,
    kind: 'Session',
    metadata: {
      name: newId('session', random),
      namespace,
      labels: { [labels.user]: userId },
      ownerReferences: [ownerReferenceTo(await ownerOf(deps, signedIn))],
    },
    spec: {
      user: userId,
      method,
      generation: generationOf(user),
      expiresAt: toRfc3339(clock.nowMs() + lifetimeMs),
      ...compact({
        apiKey,
        userAgent: userAgent?.slice(0, maxUserAgentLength),
        source: currentSource() || undefined,
      }),
      secretHash: hashOfSecret(pepper, 'session', secret).toString('hex'),
    },
  };
}
