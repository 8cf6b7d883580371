import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../../core/accounts/ids.ts';
import { AppError } from '../../../core/lib/errors.ts';

/** Signatures of the Standard Webhooks specification 1.0 (standardwebhooks.com), of the symmetric kind `v1`. */

/** The type of a Secret that signs deliveries. */
export const signingSecretType = 'webhook-secret';

const prefix = 'whsec_';
const leastBytes = 24;
const mostBytes = 64;
const newSecretBytes = 32;

/** A new signing secret as text. */
export function newSigningSecret(random: RandomBytes): string {
  return `${prefix}${random('webhook secret', newSecretBytes).toString('base64')}`;
}

/** The key in the text of a signing secret. Throws BadRequest, without quoting it, when it is not one. */
export function parseSigningSecret(text: string): Buffer {
  const encoded = text.trim().slice(prefix.length);
  const key = Buffer.from(encoded, 'base64');
  const isCanonical = text.startsWith(prefix) && key.toString('base64') === encoded;
  if (isCanonical && key.length >= leastBytes && key.length <= mostBytes) return key;
  throw new AppError(
    'BadRequest',
    `it does not contain a signing secret: use ${prefix} and the base64 of ${leastBytes} to ${mostBytes} bytes`,
  );
}

/** What is signed: the id, the time in seconds since the epoch, and the body as it is sent. */
export interface SignedContent {
  id: string;
  timestamp: number;
  body: string;
}

/** The headers of a delivery: one signature per key, separated by spaces. */
export function signatureHeaders(keys: readonly Buffer[], content: SignedContent): Record<string, string> {
  return {
    'webhook-id': content.id,
    'webhook-timestamp': String(content.timestamp),
    'webhook-signature': keys.map((key) => signatureOf(key, content)).join(' '),
  };
}

/** Whether one of the signatures in the header is made with this key. */
export function isSignedWith(key: Buffer, header: string, content: SignedContent): boolean {
  const expected = Buffer.from(signatureOf(key, content));
  return header.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function signatureOf(key: Buffer, { id, timestamp, body }: SignedContent): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
