import { randomBytes } from 'node:crypto';
import type { OutboxResource } from '../api/resources/outbox.ts';
import { outboxType } from '../api/resources/resources.ts';
import type { Stored } from '../kube/kube.ts';
import { toRfc3339 } from '../lib/clock.ts';
import { AppError, isAppError } from '../lib/errors.ts';
import { backoffMs } from '../lib/work/backoff.ts';
import type { Signer } from '../signing/signer.ts';
import type { SignedTransaction } from '../signing/signing.ts';
import { stamped } from '../tracing/stamps.ts';
import type { SenderQueuesOptions } from './deps.ts';
import { type Draft, draftOf, type SignGroup, type Taken } from './draft.ts';
import type { Submitted } from './findSubmitted.ts';
import { freeNonce } from './freeNonce.ts';
import type { KnownQueue } from './knownQueue.ts';
import { newOutbox, withSpec } from './outboxObjects.ts';
import type { Accepted, Submission } from './submission.ts';

export type CommitDeps = Required<Omit<SenderQueuesOptions, 'watched'>>;
/** Allocates nonces for all submissions of a group or for none; resolves with the outcomes in order. */
export type Commit = (queue: KnownQueue, group: readonly Submission[]) => Promise<Accepted[]>;

/** Every concurrent write by another process costs one more attempt. */
const commitTimeoutMs = 20_000;

/**
 * The only place where nonces are allocated: one compare-and-swap write of the sender queue's object. The signed bytes
 * are in it, or in objects that it names and that are created before it. If a write is not answered, the next attempt
 * first checks whether it took effect. If it takes effect even later, one of the two fails: both replace the same
 * version.
 */
export function createCommit(deps: CommitDeps): Commit {
  return async (queue, group) => {
    const drafts: Draft[] = [];
    const endMs = deps.clock.nowMs() + commitTimeoutMs;
    const ids = group.map(() => randomBytes(8).toString('hex'));
    const sign = signOnce(deps.signer);
    for (let attempt = 1; ; attempt++) {
      try {
        const written = await findWritten(queue, drafts);
        const draft = written ?? (await attemptOnce(deps, queue, { group, ids, drafts, sign }));
        void discard(
          deps,
          drafts.filter((other) => other !== draft),
        );
        return draft.outcomes;
      } catch (error) {
        queue.forget();
        if (!isWorthRetrying(error, drafts) || deps.clock.nowMs() >= endMs) throw giveUp(deps, drafts, error);
        await deps.clock.sleep(backoffMs(attempt, { baseMs: 4, maxMs: 200, random: deps.random }));
      }
    }
  };
}

/** Another process was first, or nobody knows whether the write took effect. */
function isWorthRetrying(error: unknown, drafts: readonly Draft[]): boolean {
  return isAppError(error, 'Conflict') || drafts.at(-1)?.isUncertain === true;
}

/** Discards what is certain not to have been written, and returns the error for the caller. */
function giveUp(deps: CommitDeps, drafts: readonly Draft[], error: unknown): unknown {
  void discard(
    deps,
    drafts.filter(({ isUncertain }) => !isUncertain),
  );
  const isRefused = isAppError(error) && !error.isRetryable;
  if (!isRefused && drafts.some(({ isUncertain }) => isUncertain)) return unknownOutcome(error);
  return isAppError(error, 'Conflict') ? contention() : error;
}

/** An attempt with the same nonces as the one before it reuses its signed bytes. */
function signOnce(signer: Signer): SignGroup {
  let last: { first: number; submissions: readonly Submission[]; signed: SignedTransaction[] } | undefined;
  return async (first, submissions) => {
    const isSame =
      last?.first === first &&
      last.submissions.length === submissions.length &&
      last.submissions.every((submission, index) => submission === submissions[index]);
    if (last && isSame) return last.signed;
    const unsigned = submissions.flatMap(({ transactions }) => transactions);
    const numbered = unsigned.map((transaction, index) => ({ ...transaction, nonce: first + index }));
    const [sample] = submissions;
    const signed = sample ? await signer.sign(sample.key, numbered) : [];
    last = { first, submissions, signed };
    return signed;
  };
}

function unknownOutcome(cause: unknown): AppError {
  const message =
    'it is not known whether the transactions were accepted: repeat the request with the same Idempotency-Key';
  return new AppError('Unavailable', message, { cause, retryAfterSeconds: 2, isOutcomeUnknown: true });
}

function contention(): AppError {
  const message = 'too many concurrent submissions with the same key on this network; retry';
  return new AppError('Unavailable', message, { retryAfterSeconds: 1 });
}

/** The draft of an earlier attempt that was written to the Outbox after all. */
async function findWritten(queue: KnownQueue, drafts: readonly Draft[]): Promise<Draft | undefined> {
  for (const draft of drafts) {
    const [record] = draft.records;
    if (!record || !draft.isUncertain) continue;
    const found = await queue.findWritten(record, draft.spec.archived ?? 0);
    // Earlier attempts may have the same id and nonces, but their parts differ.
    const parts = new Set(draft.parts.map(({ metadata }) => metadata.name));
    if (found && (found.parts ?? []).every((name) => parts.has(name))) return draft;
  }
  return undefined;
}

interface Work {
  group: readonly Submission[];
  ids: readonly string[];
  drafts: Draft[];
  sign: SignGroup;
}

async function attemptOnce(
  deps: CommitDeps,
  queue: KnownQueue,
  { group, ids, drafts, sign }: Work,
): Promise<Draft> {
  const head = await queue.head();
  checkHead(head, group);
  const known = await findByIdempotencyKeys(queue, group);
  const taken: Taken = { ...(await freeNonce(deps, head, group)), head };
  const now = async () => {
    const begunMs = deps.clock.steadyMs();
    return { begunMs, acceptedAt: toRfc3339(await deps.kube.serverTimeMs()) };
  };
  const draft = await draftOf(taken, { group, ids, known, sign, now });
  if (draft.records.length === 0) return draft;
  drafts.push(draft);
  for (const part of draft.parts) await deps.kube.create(outboxType, part);
  draft.isUncertain = true;
  const spec = { ...draft.spec };
  const written = head
    ? await deps.kube.replace(outboxType, stamped(withSpec(head, spec)))
    : await deps.kube.create(outboxType, stamped(newOutbox(draft.queue, 'queue', spec)));
  draft.isUncertain = false;
  queue.wrote(written);
  return draft;
}

function checkHead(head: Stored<OutboxResource> | undefined, group: readonly Submission[]): void {
  const isEnding = head?.metadata.deletionTimestamp !== undefined;
  const [first] = group;
  if (!isEnding && group.every(({ node }) => node.instance === first?.node.instance)) return;
  const message = "the network's engine is being replaced; retry";
  throw new AppError('Unavailable', message, { retryAfterSeconds: 2 });
}

/** Submissions that were accepted earlier under the idempotency keys of the group. */
async function findByIdempotencyKeys(
  queue: KnownQueue,
  group: readonly Submission[],
): Promise<Map<string, Submitted>> {
  const found = new Map<string, Submitted>();
  for (const { idempotencyKey } of group) {
    if (idempotencyKey === undefined || found.has(idempotencyKey)) continue;
    const submitted = await queue.findByKey(idempotencyKey);
    if (submitted) found.set(idempotencyKey, submitted);
  }
  return found;
}

/** Deletes the parts of drafts that can no longer be written; the operator deletes any that remain. */
async function discard({ kube }: CommitDeps, drafts: readonly Draft[]): Promise<void> {
  for (const { metadata } of drafts.flatMap(({ parts }) => parts)) {
    await kube.delete(outboxType, metadata).catch(() => false);
  }
}
