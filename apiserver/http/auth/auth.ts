import { type KeyObject, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hashOfSecret, isSameHash, parseToken } from '../../../core/accounts/credentials.ts';
import type { Permission } from '../../../core/api/access/permissions.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { notFound } from '../../store/find.ts';
import { noRateLimit, type RateLimit } from '../limits/rateLimit.ts';
import type { KeySource, KnownKey } from './keySource.ts';
import type { Principal } from './principal.ts';

interface Credentials {
  keyId: string;
  keySecret: string;
}

/**
 * The caller, in the workspace of the request: `workspaceId` if the path names one, else that of X-Workspace-ID, else
 * the key's own. Rejects with Unauthorized, or with NotFound if the caller is not a member of the workspace.
 */
export type Authenticate = (headers: IncomingHttpHeaders, workspaceId?: string) => Promise<Principal>;

/**
 * Authenticates the caller by `X-API-Key-ID` and `X-API-Key-Secret`, or by the token `<id>.<secret>` in
 * `Authorization`, with or without `Bearer`. Every failure is the same Unauthorized error, and an unknown id takes as
 * long as a wrong secret.
 */
export function createAuthenticate(
  keySource: KeySource,
  pepper: KeyObject,
  limit: RateLimit = noRateLimit,
): Authenticate {
  const dummyHash = randomBytes(32);
  return async (headers, workspaceId) => {
    const given = credentialsOf(headers);
    const known = given && (await keySource.find(given.keyId));
    const hash = hashOfSecret(pepper, 'apiKey', given?.keySecret ?? '');
    const isRight = isSameHash(hash, known?.hash ?? dummyHash);
    if (!known || !isRight) throw unauthorized();
    // Before any other work is done for the caller.
    limit.take(known.userId, given.keyId);
    known.noteUse?.();
    return enter(known, workspaceId ?? workspaceHeader(headers));
  };
}

/** Whether a request has any credentials, valid or not. */
export function hasCredentials(headers: IncomingHttpHeaders): boolean {
  return ['authorization', 'x-api-key-id', 'x-api-key-secret'].some((name) => headers[name] !== undefined);
}

/** To a caller who is not a member, a workspace looks like one that does not exist. */
async function enter({ principal: own, enter: enterOther }: KnownKey, wanted?: string): Promise<Principal> {
  const isOwn = wanted === undefined || wanted === own?.workspaceId;
  const principal = isOwn ? own : await enterOther?.(wanted);
  if (!principal) throw notFound('Workspace');
  return principal;
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
    `the API key lacks the permission ${permission}: use a key whose role has it`,
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
  const token = parseToken(authorization.replace(/^bearer +/i, ''));
  return token ? { keyId: token.id, keySecret: token.secret } : null;
}

function unauthorized(): AppError {
  return new AppError(
    'Unauthorized',
    'the API key is missing or invalid: send X-API-Key-ID and X-API-Key-Secret, or Authorization: Bearer <token>',
  );
}
