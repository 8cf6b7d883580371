import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { RandomBytes } from '../../../core/accounts/ids.ts';
import {
  type IdempotencyRecordResource,
  maxSealedAnswer,
} from '../../../core/api/resources/idempotencyRecord.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import type { Reply } from '../pipeline/handler.ts';
import { createRecords, type Records } from './idempotencyRecords.ts';
import { type Identity, type Once, type OnceRequest, onceWithoutRecord } from './once.ts';
import type { IdempotencyOptions } from './options.ts';

/**
 * Idempotency-Key, over all replicas. The record of a request is created before its work begins, which is the lock; it
 * holds the seed of every id and secret that the work makes, and in the end the answer, both sealed. Whoever crashes
 * in between leaves the seed, and who takes over makes the same objects with it, or finds them.
 */
export function createIdempotency(options: IdempotencyOptions): Once {
  const { pepper, log } = options;
  const records = createRecords(options);

  return async (request, work) => {
    const key = readKey(request.idempotencyKey);
    if (key === undefined) return onceWithoutRecord(request, work);
    const { caller, fingerprint } = describe(pepper, request);
    const name = `r${macOf(pepper, ['idempotency key', caller, key]).slice(0, 40)}`;
    const record = await records.hold(name, fingerprint);
    if (record.spec.answer !== undefined) return records.open(record, record.spec.answer);
    const reply = await attempt(records, record, work);
    await keep(records, record, reply).catch((error: unknown) => {
      // The work is done; a repetition finds what it made by its mark.
      log.warn('an answer could not be kept for its Idempotency-Key', { reason: messageOf(error) });
    });
    return reply;
  };
}

function readKey(header: OnceRequest['idempotencyKey']): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new AppError('BadRequest', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

/** Strangers are told apart by what they send: nobody gets the answer to another's secret. */
function describe(pepper: KeyObject, request: OnceRequest): { caller: string; fingerprint: string } {
  const { operationId, principal, params, query, body } = request;
  const fingerprint = macOf(pepper, ['idempotent request', operationId, params, query, body]);
  // With the key: what a wider one was answered is not for a narrower one of the same user.
  const caller = principal ? `${principal.workspaceId}/${principal.userId}/${principal.keyId}` : fingerprint;
  return { caller, fingerprint };
}

/** Keyed: a body may hold a secret that could be guessed from a plain hash. */
function macOf(pepper: KeyObject, parts: unknown[]): string {
  return createHmac('sha256', pepper).update(stableJson(parts)).digest('hex');
}

async function attempt(
  records: Records,
  record: Stored<IdempotencyRecordResource>,
  work: (identity: Identity) => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  try {
    return await work({
      random: randomFrom(records.seedOf(record)),
      idempotencyMark: record.metadata.name,
      // Whoever takes a record over writes that down.
      isRepeated: (record.metadata.generation ?? 1) > 1,
    });
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500 && !error.isRetryable;
    // What was refused left nothing behind; of anything else nobody knows how far it came.
    await (isRefused ? records.drop(record) : records.release(record)).catch(() => undefined);
    throw error;
  }
}

/** HKDF-SHA-256 of the seed (RFC 5869), the purpose as its info. */
function randomFrom(seed: Buffer): RandomBytes {
  return (purpose, length) => Buffer.from(hkdfSync('sha256', seed, '', purpose, length));
}

async function keep(
  records: Records,
  record: Stored<IdempotencyRecordResource>,
  reply: Reply<unknown>,
): Promise<void> {
  const sealed = records.seal(record, reply);
  // Too large to keep: a repetition does the work again, to the same end.
  if (sealed.length > maxSealedAnswer) return records.release(record);
  await records.complete(record, sealed);
}
