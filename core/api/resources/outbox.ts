import { z } from 'zod';
import { timeSchema } from '../common.ts';
import { addressSchema, hashSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * queue: the nonces of a signer on one incarnation of a network, and its transactions that are not settled.
 * bytes: signed transactions of a sender queue that are too large to be in it. archive: outcomes of settled ones.
 */
const outboxRoles = ['queue', 'bytes', 'archive'] as const;
export type OutboxRole = (typeof outboxRoles)[number];

/** Maximum number of transactions of one submission for one network. */
export const maxBatchTransactions = 1000;

/** At the limit of etcd; the objects stay well below it. No patterns: kube-apiserver would match the whole text. */
const maxText = 1_500_000;

export const outboxBatchSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('Random id that lets a writer find out whether its write took effect.'),
  first: z.int().min(0).describe('Nonce of the first transaction.'),
  count: z.int().min(1).describe('Number of transactions, with consecutive nonces.'),
  hashes: z.string().max(maxText).optional().describe('Hashes in hexadecimal without 0x, concatenated.'),
  raw: z.string().max(maxText).optional().describe('Signed bytes in base64, separated by commas.'),
  parts: z
    .array(z.string().max(253))
    .max(64)
    .optional()
    .describe('Names of the objects that contain hashes and bytes, in order, when they are not stored here.'),
  bytes: z.int().min(0).optional().describe('Characters of the signed bytes in the parts.'),
  idempotencyKey: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('Idempotency key: a submission with the same key is never executed twice.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe(
      'Hash of what was submitted under the idempotency key: another submission under it is a conflict.',
    ),
  user: z.string().max(253).optional().describe('Id of the user who submitted.'),
  request: z.string().max(253).optional().describe('Id of the request.'),
  acceptedAt: timeSchema.describe('When the transactions were accepted.'),
  settledAt: timeSchema.optional().describe('When the last of them was settled.'),
  results: z.string().max(maxText).optional().describe('Outcome of each transaction, as JSON.'),
});
export type OutboxBatch = z.infer<typeof outboxBatchSchema>;

/** What is known of a batch beside its transactions. In a text of its own: earlier versions refuse batches with other members. */
export const batchMarkSchema = z.strictObject({
  instance: z
    .string()
    .max(128)
    .describe('The process that it was accepted for (status.instance of the network).'),
  queued: z
    .literal(true)
    .optional()
    .describe(
      'It was accepted although the process had not acknowledged all of it: it may have to be sent later.',
    ),
  undone: z
    .int()
    .min(0)
    .optional()
    .describe('Its transactions from this nonce on were undone. Others may have these nonces.'),
});
export type BatchMark = z.infer<typeof batchMarkSchema>;

const gapTransactionSchema = z.strictObject({
  nonce: z.int().min(0).describe('The nonce that it fills.'),
  hash: hashSchema,
  raw: z.string().max(10_000).describe('Signed bytes in base64.'),
  reason: z.string().max(1024).describe('Why the original transaction with this nonce could not be sent.'),
});
export type GapTransaction = z.infer<typeof gapTransactionSchema>;

export const outboxSpecSchema = z
  .strictObject({
    role: z.enum(outboxRoles).describe('Role of the object.'),
    networkID: z.string().max(63).describe('Id of the network.'),
    incarnation: z.string().max(63).describe('status.enclaveID of the network: the id of the chain.'),
    signer: addressSchema.describe('Address of the signer.'),
    chain: z
      .string()
      .max(253)
      .optional()
      .describe('Until 0.3: what told the chain from others. Not used any more.'),
    next: z.int().min(0).optional().describe('The next free nonce.'),
    archived: z.int().min(0).optional().describe('Number of moves to the archive.'),
    page: z.int().min(0).optional().describe('Number of the newest page of the archive.'),
    batches: z.string().max(maxText).optional().describe('Batches in the order of acceptance, as JSON.'),
    marks: z.string().max(maxText).optional().describe('Marks of batches by their ids, as JSON.'),
    gapTransactions: z
      .array(gapTransactionSchema)
      .max(1000)
      .optional()
      .describe('Transactions that only fill a nonce gap.'),
  })
  .describe('Signed transactions, written before they are sent.');
export type OutboxSpec = z.infer<typeof outboxSpecSchema>;

export const outboxStatusSchema = z
  .object({
    sent: z.int().min(0).optional().describe('The first nonce that the node is not known to have received.'),
    open: z.int().min(0).optional().describe('Number of transactions that are not settled.'),
    partly: z
      .object({
        batch: z.string().max(16).describe('Id of the batch.'),
        mined: z.int().min(0).describe('Its first nonce that was not used.'),
      })
      .optional()
      .describe('A batch of which some transactions are mined.'),
    message: z.string().max(1024).optional().describe('What prevents transactions from being mined.'),
  })
  .describe('Progress of the sender queue.');
export type OutboxStatus = z.infer<typeof outboxStatusSchema>;

/** The Outbox custom resource; internal. */
export interface OutboxResource extends NamespacedObject {
  kind: 'Outbox';
  spec: OutboxSpec;
  status?: OutboxStatus;
}
