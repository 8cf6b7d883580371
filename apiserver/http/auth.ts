import { type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Permission } from '../../core/api/permissions.ts';
import { AppError } from '../../core/lib/errors.ts';
import { hashOfKeySecret, type KeySource } from './keySource.ts';
import type { Principal } from './principal.ts';

interface Credentials {
  keyId: string;
  keySecret: string;
}

export type Authenticate = (headers: IncomingHttpHeaders) => Principal;

/**
 * Finds the caller by `X-API-Key-ID` and `X-API-Key-Secret`, or by the token `<id>.<secret>` in `Authorization`, with
 * or without `Bearer`. Every failure is the same Unauthorized, and an unknown id costs what a wrong secret costs.
 */
export function createAuthenticate(keySource: KeySource, pepper: KeyObject): Authenticate {
  const nobody = randomBytes(32);
  return (headers) => {
    const given = credentialsOf(headers);
    const known = given && keySource.find(given.keyId);
    const hash = hashOfKeySecret(pepper, given?.keySecret ?? '');
    const isRight = timingSafeEqual(hash, known?.hash ?? nobody);
    if (!known || !isRight) throw unauthorized();
    checkWorkspace(known.principal, headers['x-workspace-id']);
    return known.principal;
  };
}

/** Throws Forbidden unless `principal` has `permission`. */
export function authorize(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return;
  throw new AppError('Forbidden', `this API key lacks the permission ${permission}`);
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
  const token = authorization.replace(/^bearer +/i, '');
  const dot = token.indexOf('.');
  if (dot < 1) return null;
  return { keyId: token.slice(0, dot), keySecret: token.slice(dot + 1) };
}

/** A key belongs to one workspace; naming another one must not quietly act in this one. */
function checkWorkspace(principal: Principal, wanted: string | string[] | undefined): void {
  if (wanted === undefined || wanted === principal.workspaceId) return;
  throw new AppError('Forbidden', 'this API key has no access to the workspace in X-Workspace-ID');
}

function unauthorized(): AppError {
  return new AppError(
    'Unauthorized',
    'send a valid API key: the headers X-API-Key-ID and X-API-Key-Secret, or the API token as Authorization: Bearer <token>',
  );
}
