import { type KeyObject, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hashOfSecret, isSameHash, parseToken } from '../../../core/accounts/credentials.ts';
import type { Permission } from '../../../core/api/access/permissions.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { notFound } from '../../store/find.ts';
import { noRateLimit, type RateLimit } from '../limits/rateLimit.ts';
import type { Authenticator, BrowserRequest } from './authenticator.ts';
import type { KeySource, KnownKey } from './keySource.ts';
import type { Principal } from './principal.ts';

interface Credentials {
  keyId: string;
  keySecret: string;
}

/** Who sent a request, as far as the caches show. */
export interface Caller {
  /** The account that the request counts for. */
  userId: string;
  /** In the workspace of the request; undefined if the caches show no membership there. */
  presumed: Principal | undefined;
  /**
   * The caller as all replicas know it: everything is read again once the caches show what any of them has revoked or
   * changed, also of these kinds (all if undefined). Rejects with Unauthorized, with NotFound if the caller is not a member
   * of the workspace, or with Unavailable.
   */
  confirm(kinds: readonly string[] | undefined): Promise<Principal>;
}

export interface Authenticate {
  /**
   * The caller, in the workspace of the request: `workspaceId` if the path names one, else that of X-Workspace-ID, else
   * the key's own. Asks no other replica, so nothing may be written or answered before `confirm`. Rejects with
   * Unauthorized, with Forbidden if a page of somebody else sent the credentials, or with TooManyRequests.
   */
  caller(request: BrowserRequest, workspaceId?: string): Promise<Caller>;
  /** Whether a request has any credentials, valid or not. */
  hasCredentials(headers: IncomingHttpHeaders): boolean;
  /** Throws Forbidden if a page of somebody else sent the request. */
  refuseOtherPages(request: BrowserRequest): void;
}

interface AuthenticateOptions {
  keys: KeySource;
  /** If absent, only API keys count. */
  other?: Authenticator | undefined;
  pepper: KeyObject;
  accountRate?: RateLimit;
  /** Resolves when the sources know what any replica has revoked or changed, and the caches of these kinds as well. */
  catchUp(kinds: readonly string[] | undefined): Promise<void>;
}

/** How credentials of a kind are checked. */
type Checked = Pick<Authenticator, 'kind' | 'keys' | 'refusal'>;

/**
 * Authenticates the caller by `X-API-Key-ID` and `X-API-Key-Secret`, by the token `<id>.<secret>` in `Authorization`,
 * with or without `Bearer`, or else by other credentials. Every failure of a kind is the same Unauthorized error,
 * and an unknown id takes as long as a wrong secret.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { keys, other, pepper, accountRate = noRateLimit, catchUp } = options;
  const apiKeys: Checked = { kind: 'apiKey', keys, refusal: missing };
  const dummyHash = randomBytes(32);

  async function find(
    { kind, keys }: Checked,
    given: Credentials | undefined,
  ): Promise<KnownKey | undefined> {
    const hash = hashOfSecret(pepper, kind, given?.keySecret ?? '');
    const known = given && (await keys.find(given.keyId));
    return isSameHash(hash, known?.hash ?? dummyHash) ? known : undefined;
  }

  /** An API key wherever there is one. */
  function presented(request: BrowserRequest): { by: Checked; given: Credentials | undefined } {
    const { headers } = request;
    const token = hasApiKey(headers) ? undefined : other?.tokenIn(request);
    if (!other || token === undefined) return { by: apiKeys, given: credentialsOf(headers) };
    return { by: other, given: credentialsIn(token) };
  }

  return {
    hasCredentials: (headers) => hasApiKey(headers) || (other?.hasCredentials(headers) ?? false),
    refuseOtherPages: (request) => other?.refuseOtherPages(request),
    async caller(request, workspaceId) {
      const { by, given } = presented(request);
      const wanted = workspaceId ?? workspaceHeader(request.headers);
      const known = await find(by, given);
      if (!known || !given) throw new AppError('Unauthorized', by.refusal);
      // Before any other work is done for the caller, and before anything is asked.
      accountRate.take(known.userId, given.keyId);
      return {
        userId: known.userId,
        presumed: await enter(known, wanted).catch(() => undefined),
        async confirm(kinds) {
          await catchUp(kinds);
          const current = await find(by, given);
          if (!current) throw new AppError('Unauthorized', by.refusal);
          current.noteUse?.();
          return enter(current, wanted);
        },
      };
    },
  };
}

/** Whether a request has an API key, valid or not. */
export function hasApiKey(headers: IncomingHttpHeaders): boolean {
  return ['authorization', 'x-api-key-id', 'x-api-key-secret'].some((name) => headers[name] !== undefined);
}

/** To a caller who is not a member, a workspace looks like one that does not exist. */
async function enter(known: KnownKey, wanted?: string): Promise<Principal> {
  const { principal: own, home, enter: enterOther } = known;
  const isOwn = wanted === undefined || wanted === own?.workspaceId;
  const principal = isOwn ? own : await enterOther?.(wanted);
  if (principal) return principal;
  throw wanted === undefined && home !== undefined ? noLongerMember(home) : notFound('Workspace');
}

function noLongerMember(home: string): AppError {
  return new AppError(
    'NotFound',
    `the workspace of this API key is gone, or you are no longer a member: name another one in X-Workspace-ID, such as your own, ${home}`,
  );
}

function workspaceHeader(headers: IncomingHttpHeaders): string | undefined {
  const wanted = headers['x-workspace-id'];
  return Array.isArray(wanted) ? wanted.join() : wanted;
}

/** Throws Forbidden unless `principal` has `permission`. */
export function authorize(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return;
  throw new AppError(
    'Forbidden',
    principal.keyId === undefined
      ? `your role in this workspace lacks the permission ${permission}: ask one of its owners`
      : `the API key lacks the permission ${permission}: use a key whose role has it`,
  );
}

/** The key id that a request claims; it is not verified. */
export function keyIdOf(headers: IncomingHttpHeaders): string | undefined {
  return credentialsOf(headers)?.keyId;
}

/** The credentials of a request; undefined if there are none, or two that contradict each other. */
function credentialsOf(headers: IncomingHttpHeaders): Credentials | undefined {
  const pair = pairOf(headers);
  const token = tokenOf(headers.authorization);
  if (pair === null || token === null) return undefined;
  if (!pair || !token) return pair ?? token;
  const isSame = pair.keyId === token.keyId && pair.keySecret === token.keySecret;
  return isSame ? pair : undefined;
}

/** null: credentials are present but malformed. */
function pairOf(headers: IncomingHttpHeaders): Credentials | null | undefined {
  const keyId = headers['x-api-key-id'];
  const keySecret = headers['x-api-key-secret'];
  if (keyId === undefined && keySecret === undefined) return undefined;
  if (typeof keyId !== 'string' || typeof keySecret !== 'string') return null;
  return { keyId, keySecret };
}

function tokenOf(authorization: string | undefined): Credentials | null | undefined {
  if (authorization === undefined) return undefined;
  return credentialsIn(authorization.replace(/^bearer +/i, '')) ?? null;
}

function credentialsIn(text: string): Credentials | undefined {
  const token = parseToken(text);
  return token && { keyId: token.id, keySecret: token.secret };
}

const missing =
  'the API key is missing or invalid: send X-API-Key-ID and X-API-Key-Secret, or Authorization: Bearer <token>';
