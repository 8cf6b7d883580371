import { z } from 'zod';
import { addressSchema, hashSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

const stepSchema = z.strictObject({
  attempt: z
    .int()
    .min(0)
    .describe('Attempt number, from 0: increases each time the step is repeated after a failure.'),
  hash: hashSchema.optional().describe('Hash of its transaction; written before waiting for the receipt.'),
  state: z.enum(['mined', 'failed']).optional().describe('Outcome of the transaction.'),
  block: z.int().min(0).optional().describe('Number of its block.'),
  blockHash: hashSchema.optional().describe('Hash of its block.'),
  address: addressSchema.optional().describe('The contract that it created.'),
  message: z.string().max(1024).optional().describe('Why it failed.'),
});

const waitingSchema = z.strictObject({
  id: z.string().max(128).describe('Id of the message.'),
  to: z.string().max(64).describe('Id of the destination network.'),
  block: z.int().min(0).describe('Number of the block that it was sent in.'),
  index: z.int().min(0).describe('Index of its log in that block.'),
  attempts: z.int().min(0).describe('Number of failed deliveries.'),
  retryAtMs: z.int().min(0).describe('Time of the next attempt, in milliseconds since the Unix epoch.'),
});

const checkpointSchema = z.strictObject({
  block: z.int().min(0).describe('Number of the block.'),
  hash: hashSchema.describe('Its hash.'),
});

export const journalSpecSchema = z
  .strictObject({
    scope: z
      .string()
      .min(1)
      .max(1024)
      .describe('Scope of the journal: a token or shared contracts, and one incarnation of a network.'),
    steps: z.record(z.string(), stepSchema).optional().describe('Steps of a deployment by name.'),
    position: z
      .strictObject({
        block: z.int().min(0).describe('The next block to read.'),
        index: z.int().min(0).optional().describe('The next log to read in that block.'),
        span: z.int().min(1).optional().describe('How many blocks to read at once.'),
        checkpoints: z
          .array(checkpointSchema)
          .max(100)
          .optional()
          .describe('Blocks that were read: without them, the chain has gone back.'),
        waiting: z.array(waitingSchema).max(5000).describe('Messages that are not delivered yet.'),
      })
      .optional()
      .describe('Position up to which messages between chains were read.'),
  })
  .describe('Executed steps, each exactly once.');
export type JournalSpec = z.infer<typeof journalSpecSchema>;

/** The Journal custom resource; internal. */
export interface JournalResource extends NamespacedObject {
  kind: 'Journal';
  spec: JournalSpec;
}
