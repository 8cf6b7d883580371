import { z } from 'zod';
import { addressSchema, hashSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

const stepSchema = z.strictObject({
  attempt: z.int().min(0).describe('Counts from 0: how often it was taken again after it had failed.'),
  hash: hashSchema.optional().describe('Its transaction; written before the receipt is awaited.'),
  state: z.enum(['mined', 'failed']).optional().describe('What became of the transaction.'),
  block: z.int().min(0).optional().describe('The block that holds it.'),
  address: addressSchema.optional().describe('The contract that it created.'),
  message: z.string().max(1024).optional().describe('Why it failed.'),
});

const waitingSchema = z.strictObject({
  id: z.string().max(128).describe('The message.'),
  to: z.string().max(64).describe('Id of the network that it is for.'),
  block: z.int().min(0).describe('The block that it was sent in.'),
  index: z.int().min(0).describe('Its log in that block.'),
  attempts: z.int().min(0).describe('How often it was not delivered.'),
  retryAtMs: z.int().min(0).describe('Not again before this time, in milliseconds since 1970.'),
});

export const journalSpecSchema = z
  .strictObject({
    scope: z
      .string()
      .min(1)
      .max(1024)
      .describe('What it is about: a token or what tokens share, and one life of a network.'),
    steps: z.record(z.string(), stepSchema).optional().describe('Steps of a deployment by their names.'),
    position: z
      .strictObject({
        block: z.int().min(0).describe('The next block to read.'),
        waiting: z.array(waitingSchema).max(5000).describe('Messages that are not delivered.'),
      })
      .optional()
      .describe('How far messages between chains were read.'),
  })
  .describe('Steps that were taken, each once.');
export type JournalSpec = z.infer<typeof journalSpecSchema>;

/** The Journal custom resource; internal. */
export interface JournalResource extends NamespacedObject {
  kind: 'Journal';
  spec: JournalSpec;
}
