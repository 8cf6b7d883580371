import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { RandomBytes } from '../../../core/accounts/ids.ts';
import { uuidsIn } from '../../../core/api/ids.ts';
import {
  type IdempotencyRecordResource,
  maxSealedAnswer,
} from '../../../core/api/resources/idempotencyRecord.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import { stableParts } from '../../../core/lib/json/stableParts.ts';
import { createPace } from '../../../core/lib/work/pace.ts';
import type { Reply } from '../pipeline/handler.ts';
import { createRecords, type Records } from './idempotencyRecords.ts';
import { type Identity, type Once, type OnceRequest, onceWithoutRecord } from './once.ts';
import type { IdempotencyOptions } from './options.ts';
import { checkOrigins, type Origins, originsOf } from './origins.ts';

/**
 * Implements Idempotency-Key across all replicas. The record of a request is created before the work begins and serves
 * as the lock. It holds the seed of every id and secret that the work generates, and finally the answer, both sealed.
 * After a crash the seed remains, so that the next attempt creates the same objects, or finds them.
 */
export function createIdempotency(options: IdempotencyOptions): Once {
  const { pepper, log } = options;
  const records = createRecords(options);

  return async (request, work) => {
    const key = readKey(request.idempotencyKey);
    if (key === undefined) return onceWithoutRecord(request, work);
    const { caller, fingerprint, named } = await describe(pepper, request);
    const name = `r${macOf(pepper, ['idempotency key', caller, key]).slice(0, 40)}`;
    const workspaceId = request.principal?.workspaceId;
    const origins = originsOf(named, request, options.findNetwork);
    const record = await records.hold(name, { fingerprint, workspaceId });
    if (record.spec.answer !== undefined) {
      const answered = records.open(record, record.spec.answer);
      checkOrigins(answered.origins, origins);
      return answered.reply;
    }
    const reply = await attempt(records, record, work);
    await keep(records, record, { reply, origins }).catch((error: unknown) => {
      // The work is done; a repeated request finds its objects by the mark.
      log.warn('cannot store the answer of a request with an Idempotency-Key', { reason: messageOf(error) });
    });
    return reply;
  };
}

function readKey(header: OnceRequest['idempotencyKey']): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new AppError(
    'BadRequest',
    'the header Idempotency-Key is invalid: send 1 to 255 visible ASCII characters',
  );
}

/** Callers without credentials are identified by the request itself: nobody gets the answer to another's secret. */
async function describe(pepper: KeyObject, request: OnceRequest) {
  const { operationId, principal, params, query, body } = request;
  const parts = ['idempotent request', operationId, params, query, body];
  const { fingerprint, named } = await readInTurns(pepper, parts);
  // Includes the key id: a key with fewer permissions must not get the answer of another key of the same user.
  const { workspaceId, userId, keyId = '' } = principal ?? {};
  const caller = principal ? `${workspaceId}/${userId}/${keyId}` : fingerprint;
  return { caller, fingerprint, named };
}

/** Keyed, because a body may hold a secret that could be guessed from a plain hash. */
function macOf(pepper: KeyObject, parts: unknown[]): string {
  return createHmac('sha256', pepper).update(stableJson(parts)).digest('hex');
}

/** Characters of a body that are put in order and hashed before others have a turn. */
const charactersPerTurn = 64 * 1024;

/** The same of a body of any size, and the ids that are in it, with turns for others. */
async function readInTurns(pepper: KeyObject, parts: unknown[]) {
  const pace = createPace(charactersPerTurn);
  const mac = createHmac('sha256', pepper);
  const named = new Set<string>();
  for (const part of stableParts(parts)) {
    mac.update(part);
    for (const id of uuidsIn(part)) named.add(id);
    await pace(part.length);
  }
  return { fingerprint: mac.digest('hex'), named };
}

async function attempt(
  records: Records,
  record: Stored<IdempotencyRecordResource>,
  work: (identity: Identity) => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  // Taking over a record updates it, which increments its generation.
  const isRepeated = (record.metadata.generation ?? 1) > 1;
  try {
    const random = randomFrom(records.seedOf(record));
    return await work({ random, idempotencyMark: markOf(random, record), isRepeated });
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500 && !error.isRetryable;
    // A refused request left nothing behind. After any other failure, also of an earlier attempt, it is unknown how much was done.
    const hasLeftNothing = isRefused && !isRepeated;
    await (hasLeftNothing ? records.drop(record) : records.release(record)).catch(() => undefined);
    throw error;
  }
}

/**
 * Marks what this request creates. It depends on the seed and on the request: objects of an earlier record under the
 * same key, which has been deleted since, are not taken for this request's.
 */
function markOf(random: RandomBytes, { spec }: Stored<IdempotencyRecordResource>): string {
  return `r${random(`mark of ${spec.request}`, 20).toString('hex')}`;
}

/** HKDF-SHA-256 of the seed (RFC 5869), the purpose as its info. */
function randomFrom(seed: Buffer): RandomBytes {
  return (purpose, length) => Buffer.from(hkdfSync('sha256', seed, '', purpose, length));
}

async function keep(
  records: Records,
  record: Stored<IdempotencyRecordResource>,
  { reply, origins }: { reply: Reply<unknown>; origins: Origins },
): Promise<void> {
  // Never in memory as a whole: a repeated request streams it again.
  if ('stream' in reply || 'text' in reply) return records.release(record);
  const sealed = records.seal(record, { reply, origins });
  // Too large to store: a repeated request does the work again, with the same result.
  if (sealed.length > maxSealedAnswer) return records.release(record);
  await records.complete(record, sealed);
}
