import { z } from 'zod';
import { timeSchema } from '../common.ts';
import type { NamespacedObject } from './kubeObject.ts';

/** run: a replay, and who works on it. rows: outcomes of consecutive transactions of one network of a run. */
const replayRoles = ['run', 'rows'] as const;
export type ReplayRole = (typeof replayRoles)[number];

/** Keeps an object below 512 kB, as a RecordingChunk. */
const maxReplayData = 480_000;

const rowsSchema = z
  .strictObject({
    network: z.string().max(253).describe('Id of the recorded network.'),
    index: z.int().min(0).describe('Position among the rows of this network.'),
    total: z.int().min(0).describe('Transactions in this object and those before it.'),
    unmatched: z.int().min(0).describe('How many of them do not match.'),
    data: z.string().max(maxReplayData).describe('Base64 of gzip of one JSON line per transaction.'),
  })
  .describe('Outcomes of consecutive transactions.');
export type ReplayRows = z.infer<typeof rowsSchema>;

export const replaySpecSchema = z
  .strictObject({
    role: z.enum(replayRoles).describe('Role of the object.'),
    holder: z.string().max(63).optional().describe('Random id of the process that works on the run.'),
    heldUntil: timeSchema.optional().describe('When another process may take over.'),
    incarnations: z
      .record(z.string(), z.string())
      .optional()
      .describe('Id of each recorded network to the incarnation of the network that it is replayed on.'),
    finished: z.boolean().optional().describe('true: all rows are written.'),
    rows: rowsSchema.optional(),
  })
  .describe('Progress of a replay, from which it continues after a crash.');
export type ReplaySpec = z.infer<typeof replaySpecSchema>;

/** The Replay custom resource. Internal: it lives as long as its outcome can be asked for again. */
export interface ReplayResource extends NamespacedObject {
  kind: 'Replay';
  spec: ReplaySpec;
}
