import { z } from 'zod';
import { timeSchema } from '../common.ts';
import { networkSchema } from '../resources/network.ts';
import { secretSchema } from '../resources/secret.ts';
import { snapshotSchema } from '../resources/snapshot.ts';
import { recordingSchema } from '../rest/recording.ts';
import { submissionSchema } from '../rest/submission.ts';
import { tokenSchema } from '../rest/token.ts';
import { type EventKindName, eventTypes, streamEventTypes } from './eventTypes.ts';

/** The schema of the object in the events of each kind: as REST returns it in lists. */
export const eventObjectSchemas = {
  network: networkSchema,
  token: tokenSchema,
  transaction: submissionSchema,
  recording: recordingSchema,
  snapshot: snapshotSchema,
  secret: secretSchema,
} as const satisfies Record<EventKindName, z.ZodType>;

const typeNames = [...eventTypes.map(({ type }) => type), ...Object.keys(streamEventTypes)];

/** One event, as streams and webhooks deliver it. */
export const eventSchema = z
  .object({
    id: z.string().describe('Identifies the event: the same in every delivery and on every replica.'),
    type: z.string().meta({ examples: typeNames }).describe('What happened. More types may be added.'),
    createdAt: timeSchema.describe('When it happened.'),
    workspace: z.string().describe('Id of the workspace.'),
    object: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The object after the change, as REST returns it; absent for events of the stream itself.'),
  })
  .describe('An event of the workspace.');
export type EventEnvelope = z.infer<typeof eventSchema>;

/** One server-sent event, as OpenAPI 3.2 describes them: its fields, of which `data` is JSON. */
export const serverSentEventSchema = z
  .object({
    id: z.string().optional().describe('Where the stream is: what a client sends as Last-Event-ID.'),
    data: z
      .string()
      .meta({ contentMediaType: 'application/json', contentSchema: { $ref: '#/components/schemas/Event' } })
      .describe('An Event as JSON.'),
  })
  .describe('A server-sent event.');
