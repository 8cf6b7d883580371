import { z } from 'zod';
import { nameSchema } from '../common.ts';
import { hashSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * Maximum number of characters of `data` in one chunk: keeps the whole object below 512 kB, and thus below the 1.5 MB
 * that etcd accepts per value.
 */
export const maxChunkData = 480_000;

export const recordingChunkSpecSchema = z
  .strictObject({
    recording: nameSchema.optional().describe('Name of the Recording; none if several share the chunk.'),
    network: nameSchema.describe('Name of the Network.'),
    networkID: z.string().describe('Id of the network.'),
    index: z.int().min(0).describe('Position among the chunks of this network.'),
    lastBlock: z
      .int()
      .min(0)
      .describe('Last block that is completely covered by this chunk and those before it.'),
    lastHash: hashSchema.describe('Hash of that block.'),
    total: z.int().min(0).describe('Transactions in this chunk and those before it.'),
    continues: z
      .boolean()
      .optional()
      .describe('true: the data continues in the next chunk and is only valid together with it.'),
    source: z
      .string()
      .max(63)
      .optional()
      .describe(
        'The data is that of the chunks with this name and the suffixes -0, -1, …, which recordings of the same wallet share.',
      ),
    data: z.string().max(maxChunkData).describe('Base64 of gzip of one JSON line per transaction.'),
  })
  .describe('Captured transactions of one network, in block order.');
export type RecordingChunkSpec = z.infer<typeof recordingChunkSpecSchema>;

/** A part of the captured transactions of a recording. Internal: only the operator writes it. */
export interface RecordingChunkResource extends NamespacedObject {
  kind: 'RecordingChunk';
  spec: RecordingChunkSpec;
}
