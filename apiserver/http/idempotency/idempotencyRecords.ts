import { randomBytes } from 'node:crypto';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { IdempotencyRecordResource } from '../../../core/api/resources/idempotencyRecord.ts';
import { idempotencyRecordType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { Reply, WholeReply } from '../pipeline/handler.ts';
import type { IdempotencyOptions } from './options.ts';
import type { Origins } from './origins.ts';

/** After this time another replica may resume a request whose replica has died. Repeated work changes nothing. */
const holdMs = 20_000;
/** How long a repeated request waits for the answer of the first one. */
const patienceMs = 10_000;
const pollMs = 100;

/** What a record says of its request. */
interface Described {
  fingerprint: string;
  /** Where it counts among what is stored; none if nobody is signed in. */
  workspaceId?: string | undefined;
}

/** An answer, and the networks that it is about. */
interface Answered<T extends Reply<unknown>> {
  reply: T;
  origins: Origins;
}

/** Stores the records of requests with an Idempotency-Key. */
export interface Records {
  /** A new record held by the caller, or one with an answer. Waits while another request holds it. */
  hold(name: string, request: Described): Promise<Stored<IdempotencyRecordResource>>;
  seedOf(record: Stored<IdempotencyRecordResource>): Buffer;
  seal(record: Stored<IdempotencyRecordResource>, answered: Answered<WholeReply<unknown>>): string;
  open(record: Stored<IdempotencyRecordResource>, sealed: string): Answered<Reply<unknown>>;
  complete(record: Stored<IdempotencyRecordResource>, sealedAnswer: string): Promise<void>;
  /** Lets the next request try, with the same seed. */
  release(record: Stored<IdempotencyRecordResource>): Promise<void>;
  /** Forgets the request, unless another one has taken it over. */
  drop(record: Stored<IdempotencyRecordResource>): Promise<void>;
}

type RecordsOptions = Pick<IdempotencyOptions, 'kube' | 'namespace' | 'sealer' | 'clock'>;

export function createRecords(options: RecordsOptions): Records {
  const { kube, namespace, sealer } = options;
  const placeOf = (part: string, { metadata }: Stored<IdempotencyRecordResource>) => ({
    namespace,
    name: `${metadata.name}/${part}`,
    owner: '',
  });
  /** If the master key was removed, the outcome of the request is unknown, so the request is not repeated. */
  const unseal = (record: Stored<IdempotencyRecordResource>, part: string, sealed: string) => {
    try {
      return sealer.unseal(sealed, placeOf(part, record));
    } catch (cause) {
      const message =
        'the stored answer of this Idempotency-Key can no longer be read: check what the request created';
      throw new AppError('Conflict', `${message}, or repeat the request with another key`, { cause });
    }
  };
  const replace = async (
    record: Stored<IdempotencyRecordResource>,
    spec: Partial<IdempotencyRecordResource['spec']>,
  ) => {
    await kube.replace(idempotencyRecordType, { ...record, spec: { ...record.spec, ...spec } });
  };
  return {
    hold: (name, request) => hold(options, name, request),
    seedOf: (record) => unseal(record, 'seed', record.spec.seed),
    seal(record, { reply: { location, etag, cookie, objects, warning, ...reply }, origins }) {
      const json = 'json' in reply ? reply.json.toString() : JSON.stringify(reply.body);
      const text = JSON.stringify({ json, location, etag, cookie, objects, warning, origins });
      return sealer.seal(Buffer.from(text), placeOf('answer', record));
    },
    open(record, sealed) {
      const { origins = {}, ...reply } = JSON.parse(unseal(record, 'answer', sealed).toString('utf8'));
      return { reply, origins };
    },
    complete: (record, answer) => replace(record, { answer }),
    release: (record) => replace(record, { heldUntil: toRfc3339(0) }),
    // Not one that another replica has taken over meanwhile: it may have the answer.
    async drop({ metadata }) {
      const { uid, resourceVersion } = metadata;
      await kube.delete(idempotencyRecordType, metadata, { uid, resourceVersion });
    },
  };
}

async function hold(
  options: RecordsOptions,
  name: string,
  request: Described,
): Promise<Stored<IdempotencyRecordResource>> {
  const { kube, namespace, clock } = options;
  const endMs = clock.nowMs() + patienceMs;
  // Keys are usually new: whether one was used before is seen when its record cannot be created.
  const begun = await begin(options, name, request);
  if (begun) return begun;
  for (;;) {
    const found = await forCaller(kube.get(idempotencyRecordType, { namespace, name }));
    const record = found
      ? await takeOver(options, found, request.fingerprint)
      : await begin(options, name, request);
    if (record) return record;
    if (clock.nowMs() >= endMs) {
      const message = 'a request with this Idempotency-Key is still in progress: retry later';
      throw new AppError('Conflict', message, { retryAfterSeconds: 5 });
    }
    await clock.sleep(pollMs);
  }
}

/** Undefined if another request was faster. */
async function begin(
  { kube, namespace, sealer }: RecordsOptions,
  name: string,
  { fingerprint, workspaceId }: Described,
): Promise<Stored<IdempotencyRecordResource> | undefined> {
  const seed = sealer.seal(randomBytes(32), { namespace, name: `${name}/seed`, owner: '' });
  const heldUntil = toRfc3339((await kube.serverTimeMs()) + holdMs);
  const spec = { request: fingerprint, seed, heldUntil };
  const metadata = { name, namespace, labels: compact({ [labels.workspace]: workspaceId }) };
  const record = { apiVersion, kind: 'IdempotencyRecord', metadata, spec } as const;
  return unlessConflict(forCaller(kube.create<IdempotencyRecordResource>(idempotencyRecordType, record)));
}

/** The record if it has an answer, or if the hold of its owner has expired; else undefined. */
async function takeOver(
  { kube }: RecordsOptions,
  record: Stored<IdempotencyRecordResource>,
  fingerprint: string,
): Promise<Stored<IdempotencyRecordResource> | undefined> {
  const { request, answer, heldUntil } = record.spec;
  if (request !== fingerprint) {
    throw new AppError(
      'Conflict',
      'this Idempotency-Key was already used for a different request: use a new key',
    );
  }
  if (answer !== undefined) return record;
  const nowMs = await kube.serverTimeMs();
  if ((parseRfc3339(heldUntil) ?? 0) > nowMs) return undefined;
  const spec = { ...record.spec, heldUntil: toRfc3339(nowMs + holdMs) };
  return unlessConflict(forCaller(kube.replace(idempotencyRecordType, { ...record, spec })));
}

async function unlessConflict<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isAppError(error, 'Conflict')) return undefined;
    throw error;
  }
}
