import { z } from 'zod';
import { nameSchema } from '../common.ts';
import { hashSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * Most characters of `data` in one chunk: with all else in the object below 512 kB, and below the 1.5 MB that etcd
 * takes of one value.
 */
export const maxChunkData = 480_000;

export const recordingChunkSpecSchema = z
  .strictObject({
    recording: nameSchema.describe('Name of the Recording.'),
    network: nameSchema.describe('Name of the Network.'),
    networkID: z.string().describe('Id of the network.'),
    index: z.int().min(0).describe('Position among the chunks of this network.'),
    lastBlock: z.int().min(0).describe('Up to this block, all is in this chunk and those before it.'),
    lastHash: hashSchema.describe('Hash of that block.'),
    total: z.int().min(0).describe('Transactions in this chunk and those before it.'),
    continues: z
      .boolean()
      .optional()
      .describe('true: the data goes on in the next chunk, and counts only together with it.'),
    data: z.string().max(maxChunkData).describe('Base64 of gzip of one JSON line for each transaction.'),
  })
  .describe('Captured transactions of one network, in block order.');
export type RecordingChunkSpec = z.infer<typeof recordingChunkSpecSchema>;

/** A part of what a recording captured. Internal: written by the operator alone. */
export interface RecordingChunkResource extends NamespacedObject {
  kind: 'RecordingChunk';
  spec: RecordingChunkSpec;
}
