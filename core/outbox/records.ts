import type { OutboxBatch, OutboxResource } from '../api/resources/outbox.ts';
import type { SubmissionBody } from '../api/rest/submission.ts';
import type { Stored } from '../kube/kube.ts';
import { compact } from '../lib/compact.ts';
import { batchesOf } from './batches.ts';
import { isUndone, marksOf } from './marks.ts';
import { hashesIn } from './packedTransactions.ts';
import { type Result, undone, unpackResults } from './results.ts';

/** A submitted transaction according to the Outbox. */
export interface SubmissionRecord {
  /** Id of its batch: the same transaction may be submitted again after a revert. */
  batch: string;
  hash: string;
  nonce: number;
  networkId: string;
  /** The incarnation of the network that it was submitted to. */
  incarnation: string;
  from: string;
  acceptedAt: string;
  settledAt?: string;
  userId?: string;
  /** The process that it was accepted for; undefined when an earlier version accepted it. */
  instance?: string;
  /** Undefined until it is settled. */
  result?: Result;
  /** Whether the node is known to have it. */
  isBroadcast: boolean;
  /** Why its sender queue is waiting. */
  problem?: string;
}

/** Finds an Outbox by its name. */
export interface OutboxFinder {
  get(ref: { namespace: string; name: string }): Stored<OutboxResource> | undefined;
}

/** The transactions of a batch of a sender queue or an archive. `outboxes` finds the parts of a large batch. */
export function recordsOfBatch(
  outboxes: OutboxFinder,
  object: Stored<OutboxResource>,
  batch: OutboxBatch,
): SubmissionRecord[] {
  const { metadata, spec, status } = object;
  const { namespace } = metadata;
  const mark = marksOf(object)[batch.id];
  const results = unpackResults(batch.results);
  const sent = status?.sent ?? 0;
  const common = {
    batch: batch.id,
    networkId: spec.networkID,
    incarnation: spec.incarnation,
    from: spec.signer,
    acceptedAt: batch.acceptedAt,
    ...compact({
      instance: mark?.instance,
      settledAt: batch.settledAt,
      userId: batch.user,
      problem: status?.message || undefined,
    }),
  };
  return hashesOf(outboxes, namespace, batch).map((hash, index) => {
    const nonce = batch.first + index;
    const result = results[index] ?? (isUndone(mark, nonce) ? undone : undefined);
    return { ...common, hash, nonce, isBroadcast: nonce < sent, ...compact({ result }) };
  });
}

/** Transactions of parts that are not cached (yet) are briefly missing. */
function hashesOf(outboxes: OutboxFinder, namespace: string, batch: OutboxBatch): string[] {
  if (!batch.parts) return hashesIn(batch);
  const parts = batch.parts.map((name) => outboxes.get({ namespace, name }));
  const pieces = parts.flatMap((part) => batchesOf(part).filter(({ id }) => id === batch.id));
  return pieces.flatMap(hashesIn);
}

/** The Submission of REST. */
export function toSubmission(record: SubmissionRecord): SubmissionBody {
  const { hash, nonce, networkId, from, acceptedAt, settledAt, userId, result, isBroadcast, problem } =
    record;
  const open = {
    state: isBroadcast ? 'broadcast' : 'accepted',
    ...compact({ message: problem || undefined }),
  } as const;
  return {
    kind: 'Submission',
    version: 'v1alpha1',
    hash,
    network_id: networkId,
    ...(result ? outcomeOf(result) : open),
    from,
    nonce,
    accepted_at: acceptedAt,
    ...compact({ settled_at: settledAt, user_id: userId }),
  };
}

function outcomeOf(
  result: Result,
): Pick<SubmissionBody, 'state' | 'message' | 'block' | 'gas_used' | 'contract_address'> {
  const { state } = result;
  if (state === 'dropped') return { state, message: result.reason };
  const { block, gasUsed: gas_used } = result;
  if (state === 'failed') return { state, message: result.reason, block, gas_used };
  return { state, block, gas_used, ...compact({ contract_address: result.contract }) };
}
