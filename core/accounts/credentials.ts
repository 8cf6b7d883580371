import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './ids.ts';

/** What a secret authenticates. One kind is never accepted for the other. */
export type CredentialKind =
  | 'apiKey'
  | 'invitation'
  | 'mailedInvitation'
  | 'session'
  | 'link'
  | 'device'
  | 'userCode'
  | 'spent'
  | 'challenge'
  | 'password';

/** A new secret: 256 random bits in base64url (43 characters). */
export function newSecret(kind: CredentialKind, random: RandomBytes): string {
  return random(`${kind} secret`, 32).toString('base64url');
}

/** HMAC-SHA-256 of a secret: 256 random bits do not need a slow hash, and the pepper is not stored with it. */
export function hashOfSecret(pepper: KeyObject, kind: CredentialKind, secret: string): Buffer {
  const text = kind === 'apiKey' ? secret : `${kind}/${secret}`;
  return createHmac('sha256', pepper).update(text).digest();
}

/** Whether two hashes are equal, compared in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** `<id>.<secret>`: an API token or the token of an invitation. */
export function formatToken(id: string, secret: string): string {
  return `${id}.${secret}`;
}

/** The parts of a token; undefined when it is malformed. */
export function parseToken(token: string): { id: string; secret: string } | undefined {
  const dot = token.indexOf('.');
  return dot < 1 ? undefined : { id: token.slice(0, dot), secret: token.slice(dot + 1) };
}
