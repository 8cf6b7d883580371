import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './ids.ts';

/** What a secret opens. The two never pass for each other. */
export type CredentialKind = 'apiKey' | 'invitation';

/** A new secret: 256 random bits in base64url (43 characters). */
export function newSecret(kind: CredentialKind, random: RandomBytes): string {
  return random(`${kind} secret`, 32).toString('base64url');
}

/** HMAC-SHA-256 of a secret: 256 random bits need no slow hash, and the pepper is not stored with it. */
export function hashOfSecret(pepper: KeyObject, kind: CredentialKind, secret: string): Buffer {
  const text = kind === 'apiKey' ? secret : `${kind}/${secret}`;
  return createHmac('sha256', pepper).update(text).digest();
}

/** Whether two hashes are equal, in a time that tells nothing of where they differ. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** `<id>.<secret>`: API token, or token of an invitation. */
export function formatToken(id: string, secret: string): string {
  return `${id}.${secret}`;
}

/** Parts of a token; undefined when it has not the form of one. */
export function parseToken(token: string): { id: string; secret: string } | undefined {
  const dot = token.indexOf('.');
  return dot < 1 ? undefined : { id: token.slice(0, dot), secret: token.slice(dot + 1) };
}
