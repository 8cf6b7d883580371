import { z } from 'zod';
import { timeSchema } from '../../../core/api/common.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../core/api/resources/own.ts';

/** Entries in one chunk: it is written again with each addition, so it stays small. */
export const maxChunkEntries = 250;
/** Entries of a workspace: when there are more, those of the actors with the most go first. */
export const maxAuditEntries = 10_000;
/** Characters of `data`: entries are bounded, so that the object stays far below the 1.5 MB that etcd accepts. */
const maxAuditData = 900_000;

export const auditChunkSpecSchema = z
  .strictObject({
    sequence: z.int().min(1).describe('Position among the chunks of the workspace; its name has it, too.'),
    entries: z.int().min(1).max(maxChunkEntries).describe('How many entries it has.'),
    newest: timeSchema.describe('When the newest of them was made.'),
    data: z
      .string()
      .max(maxAuditData)
      .describe('Base64 of gzip of one JSON line per entry, oldest first. One that was moved has its place.'),
  })
  .describe('What callers did in a workspace.');
type AuditChunkSpec = z.infer<typeof auditChunkSpecSchema>;

/** A part of the audit list of a workspace. Internal: only the API server writes it. */
export interface AuditChunkResource extends NamespacedObject {
  kind: 'AuditChunk';
  spec: AuditChunkSpec;
}

export const auditChunkType = ownType<AuditChunkResource>('AuditChunk');
