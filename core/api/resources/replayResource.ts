import { z } from 'zod';
import { timeSchema } from '../common.ts';
import { maxRecordedNetworks } from '../rest/recording.ts';
import { addressSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * run: a replay, and who works on it. source: transactions of a document that is replayed. rows: outcomes of consecutive
 * transactions of one network of a run.
 */
const replayRoles = ['run', 'source', 'rows'] as const;
export type ReplayRole = (typeof replayRoles)[number];

/** Keeps an object below 512 kB, as a RecordingChunk. */
export const maxReplayData = 480_000;

const networkSchema = z.string().max(253).describe('Id of the recorded network.');

const orderSchema = z
  .strictObject({
    caller: addressSchema.describe('Address of the default key of the owner when the replay was asked for.'),
    request: z.string().max(253).optional().describe('Id of the request that asked for it.'),
    recording: z
      .string()
      .max(253)
      .optional()
      .describe('Name of the recording. Absent for a document, which is in objects of role source.'),
    recordingUid: z
      .string()
      .max(64)
      .optional()
      .describe('Its uid: another one of this name is not replayed.'),
    networks: z
      .array(
        z.strictObject({
          recorded: networkSchema,
          target: z.string().max(253).describe('Id of the network that it is replayed on.'),
          texts: z.int().min(0).optional().describe('How many texts its part of the document is stored in.'),
        }),
      )
      .max(maxRecordedNetworks)
      .describe('What is replayed on which network.'),
  })
  .describe('What to replay. Absent in a run of a version before 0.4, which an API server performs.');
export type ReplayOrder = z.infer<typeof orderSchema>;

const failureSchema = z
  .strictObject({
    reason: z.enum(['BadRequest', 'Conflict', 'Unavailable']).describe('Reason of the error.'),
    message: z.string().max(4096).describe('What is wrong, and what to do.'),
    retryAfterSeconds: z.int().min(0).optional().describe('When the request may be repeated.'),
  })
  .describe('Why nobody works on the run any more. A request that repeats it removes this.');
export type ReplayFailure = z.infer<typeof failureSchema>;

const sourceSchema = z
  .strictObject({
    network: networkSchema,
    text: z.int().min(0).describe('Position among the texts of this network.'),
    index: z.int().min(0).describe('Position among the objects of the text.'),
    data: z
      .string()
      .max(maxReplayData)
      .describe('Base64 of gzip of one JSON line per transaction, or a part of it.'),
    continues: z.boolean().optional().describe('true: the data goes on in the next object.'),
  })
  .describe('Consecutive transactions of a document.');

const rowsSchema = z
  .strictObject({
    network: networkSchema,
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
    order: orderSchema.optional(),
    holder: z.string().max(63).optional().describe('Random id of the process that works on the run.'),
    heldUntil: timeSchema.optional().describe('When another process may take over.'),
    incarnations: z
      .record(z.string(), z.string())
      .optional()
      .describe('Id of each recorded network to the incarnation of the network that it is replayed on.'),
    finished: z.boolean().optional().describe('true: all rows are written.'),
    failure: failureSchema.optional(),
    endedAt: timeSchema.optional().describe('When it was finished or failed.'),
    source: sourceSchema.optional(),
    rows: rowsSchema.optional(),
  })
  .describe('A replay and its progress, from which it continues after a crash.');
export type ReplaySpec = z.infer<typeof replaySpecSchema>;

/** The Replay custom resource. Internal: it lives as long as its outcome can be asked for again. */
export interface ReplayResource extends NamespacedObject {
  kind: 'Replay';
  spec: ReplaySpec;
}
