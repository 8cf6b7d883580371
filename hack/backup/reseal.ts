import { locationOf } from '../../core/accounts/openSecret.ts';
import {
  createSealer,
  isSealed,
  parseMasterKeys,
  type Sealer,
  type SecretLocation,
} from '../../core/accounts/seal.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Backup } from './contents.ts';
import type { AnyObject } from './kinds.ts';
import type { Renames } from './renames.ts';

/** A sealer with the master keys of a backup. */
export function sealerOf({ keys }: Pick<Backup, 'keys'>): Sealer {
  const text = keys.flatMap(({ data }) => data?.['master-keys'] ?? [])[0] ?? '';
  return createSealer(parseMasterKeys(Buffer.from(text, 'base64').toString('utf8')));
}

/**
 * Sealed text opens only under the name that it was sealed for, and stored answers name ids inside: both are sealed again
 * where a restore changes them. What no installed key opens stays as it is.
 */
export function reseal(
  sealer: Sealer,
  renames: Renames,
  { former, now }: { former: AnyObject; now: AnyObject },
) {
  if (now.kind === 'Secret') return withData(now, moved(sealer, former as SecretResource & AnyObject, now));
  if (now.kind === 'IdempotencyRecord') return withAnswer(sealer, renames, now);
  return now;
}

function moved(sealer: Sealer, former: SecretResource & AnyObject, now: AnyObject): string {
  const { data } = former.spec;
  const from = locationOf(former.metadata);
  const to = locationOf(now.metadata as SecretResource['metadata']);
  if (!isSealed(data) || JSON.stringify(from) === JSON.stringify(to)) return data;
  return again(sealer, data, { from, to, change: (text) => text });
}

function withData(object: AnyObject, data: string): AnyObject {
  return { ...object, spec: { ...object.spec, data } };
}

function withAnswer(sealer: Sealer, renames: Renames, object: AnyObject): AnyObject {
  const { answer } = object.spec ?? {};
  if (typeof answer !== 'string') return object;
  const { namespace = '', name } = object.metadata;
  const place = { namespace, name: `${name}/answer`, owner: '' };
  const change = (text: Buffer) => Buffer.from(renames.apply(text.toString('utf8')));
  const sealed = again(sealer, answer, { from: place, to: place, change });
  return { ...object, spec: { ...object.spec, answer: sealed } };
}

interface Move {
  from: SecretLocation;
  to: SecretLocation;
  change(plain: Buffer): Buffer;
}

function again(sealer: Sealer, sealed: string, { from, to, change }: Move): string {
  try {
    return sealer.seal(change(sealer.unseal(sealed, from)), to);
  } catch {
    return sealed;
  }
}
