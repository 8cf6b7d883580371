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
 * The caller, in the workspace that the request is for: `workspaceId` when the path names one, else that of
 * X-Workspace-ID, else the key's own. Rejects with Unauthorized, or NotFound when the caller is no member of it.
 */
export type Authenticate = (headers: IncomingHttpHeaders, workspaceId?: string) => Promise<Principal>;

/**
 * Finds the caller by `X-API-Key-ID` and `X-API-Key-Secret`, or by the token `<id>.<secret>` in `Authorization`, with
 * or without `Bearer`. Every failure is the same Unauthorized, and an unknown id costs what a wrong secret costs.
 */
export function createAuthenticate(
  keySource: KeySource,
  pepper: KeyObject,
  limit: RateLimit = noRateLimit,
): Authenticate {
  const nobody = randomBytes(32);
  return async (headers, workspaceId) => {
    const given = credentialsOf(headers);
    const known = given && (await keySource.find(given.keyId));
    const hash = hashOfSecret(pepper, 'apiKey', given?.keySecret ?? '');
    const isRight = isSameHash(hash, known?.hash ?? nobody);
    if (!known || !isRight) throw unauthorized();
    // Before anything is asked or read on the caller's behalf.
    limit.take(given.keyId);
    known.noteUse?.();
    return enter(known, workspaceId ?? workspaceHeader(headers));
  };
}

/** Whether a request tries to say who it comes from. */
export function hasCredentials(headers: IncomingHttpHeaders): boolean {
  return ['authorization', 'x-api-key-id', 'x-api-key-secret'].some((name) => headers[name] !== undefined);
}

/** To one who is no member, a workspace is as unknown as one that does not exist. */
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
  throw new AppError('Forbidden', `this API key lacks the permission ${permission}`);
}

/** The key that a request names, whether it is that one's or not. */
export function keyIdOf(headers: IncomingHttpHeaders): string | undefined {
  return credentialsOf(headers)?.keyId;
}

/** The credentials of a request; undefined when there are none, or two that disagree. */
function credentialsOf(headers: IncomingHttpHeaders): Credentials | undefined {
  const pair = pairOf(headers);
  const token = tokenOf(headers.authorization);
  if (pair === null || token === null) return undefined;
  if (!pair || !token) return pair ?? token;
  const isSame = pair.keyId === token.keyId && pair.keySecret === token.keySecret;
  return isSame ? pair : undefined;
}

/** null: there is something, but it cannot be used. */
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
    'send a valid API key: the headers X-API-Key-ID and X-API-Key-Secret, or the API token as Authorization: Bearer <token>',
  );
}
