import { z } from 'zod';
import { timeSchema } from '../common.ts';
import { addressSchema, hashSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * sender queue: the nonces of a signer on one life of a network, and what was taken of them and is not settled.
 * bytes: signed transactions of a sender queue that are too large to lie in it. archive: what became of settled ones.
 */
const outboxRoles = ['queue', 'bytes', 'archive'] as const;
export type OutboxRole = (typeof outboxRoles)[number];

/** Most transactions of one submission for one network. */
export const maxBatchTransactions = 1000;

/** Beyond what etcd takes; the objects are kept well below it. No patterns: kube-apiserver would search all of it. */
const maxText = 1_500_000;

export const outboxBatchSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('Random: tells a writer whether its write was made.'),
  first: z.int().min(0).describe('Nonce of the first transaction.'),
  count: z.int().min(1).describe('Number of transactions, with one nonce after the other.'),
  hashes: z
    .string()
    .max(maxText)
    .optional()
    .describe('Hashes in hexadecimal, without 0x and one after the other.'),
  raw: z.string().max(maxText).optional().describe('Signed bytes in Base64, with commas between.'),
  parts: z
    .array(z.string().max(253))
    .max(64)
    .optional()
    .describe('Objects that hold hashes and bytes, in order, when they are not here.'),
  idempotencyKey: z.string().min(1).max(253).optional().describe('What was to be done: never done twice.'),
  user: z.string().max(253).optional().describe('Id of the user who submitted.'),
  request: z.string().max(253).optional().describe('Id of the request.'),
  acceptedAt: timeSchema.describe('When the transactions were accepted.'),
  settledAt: timeSchema.optional().describe('When the last of them was settled.'),
  results: z.string().max(maxText).optional().describe('What became of each, as JSON.'),
});
export type OutboxBatch = z.infer<typeof outboxBatchSchema>;

const gapTransactionSchema = z.strictObject({
  nonce: z.int().min(0).describe('The nonce that it uses up.'),
  hash: hashSchema,
  raw: z.string().max(10_000).describe('Signed bytes in Base64.'),
  reason: z.string().max(1024).describe('Why what had the nonce could not be sent.'),
});
export type GapTransaction = z.infer<typeof gapTransactionSchema>;

export const outboxSpecSchema = z
  .strictObject({
    role: z.enum(outboxRoles).describe('What the object holds.'),
    networkID: z.string().max(63).describe('Id of the network.'),
    incarnation: z
      .string()
      .max(63)
      .describe('status.enclaveID of the network: another one is another chain.'),
    signer: addressSchema.describe('Who signs.'),
    genesis: z.string().max(66).optional().describe('Hash of block 0: tells chains apart.'),
    next: z.int().min(0).optional().describe('The first nonce that is not taken.'),
    archived: z.int().min(0).optional().describe('How often something was moved to the archive.'),
    batches: z.string().max(maxText).optional().describe('Batches in the order of their nonces, as JSON.'),
    gapTransactions: z
      .array(gapTransactionSchema)
      .max(1000)
      .optional()
      .describe('Transactions that only use up a nonce.'),
  })
  .describe('Signed transactions, written before they are sent.');
export type OutboxSpec = z.infer<typeof outboxSpecSchema>;

export const outboxStatusSchema = z
  .object({
    sent: z.int().min(0).optional().describe('The first nonce that the node is not known to have got.'),
    open: z.int().min(0).optional().describe('Transactions that are not settled.'),
    message: z.string().max(1024).optional().describe('What keeps transactions from being mined.'),
  })
  .describe('How far a sender queue is.');
export type OutboxStatus = z.infer<typeof outboxStatusSchema>;

/** The Outbox custom resource; internal. */
export interface OutboxResource extends NamespacedObject {
  kind: 'Outbox';
  spec: OutboxSpec;
  status?: OutboxStatus;
}
