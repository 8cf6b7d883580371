import { z } from 'zod';
import { queryNumber, timeSchema } from '../../../core/api/common.ts';

/** How many calls of a network are kept, and the most that a list has. */
export const maxCalls = 1000;
const usualCalls = 100;

export const callSchema = z
  .object({
    id: z.string().describe('Differs for each call.'),
    time: z.string().describe('When it was answered (RFC 3339, with milliseconds).'),
    service: z.string().describe('What the URL calls the service, such as "rpc".'),
    transport: z.enum(['http', 'webSocket']).describe('How it came.'),
    key: z.string().describe('The name of the key in the URL: "public" or "admin". Never the key itself.'),
    method: z.string().optional().describe('Absent if it was not a valid call.'),
    params: z
      .string()
      .optional()
      .describe(
        'Its parameters as JSON text, at most 500 characters and without what may be a secret. Absent if there are none, for methods that take keys or passwords, and for those that the URL does not offer.',
      ),
    durationMs: z
      .int()
      .describe('Milliseconds from when the gateway had read it until its answer was complete.'),
    error: z
      .object({
        code: z.int().optional().describe('Of JSON-RPC; absent if there was no such answer.'),
        message: z.string().describe('At most 300 characters.'),
      })
      .optional()
      .describe('Why it failed; absent if it succeeded.'),
  })
  .describe('A JSON-RPC call of a user to a network, as the gateway answered it.');
export type Call = z.infer<typeof callSchema>;

export const callListSchema = z
  .object({
    kind: z.literal('CallList'),
    version: z.literal('v1alpha'),
    enabled: z.boolean().describe('Whether calls are kept.'),
    items: z.array(callSchema).describe('The last calls, oldest first.'),
    missingReplicas: z
      .int()
      .describe('How many replicas of the gateway did not say which calls they had; usually 0.'),
  })
  .describe('The last calls to a network.');

export const callQuerySchema = z.strictObject({
  failed: z.enum(['true', 'false']).optional().describe('Whether only those that failed are returned.'),
  since: timeSchema.optional().describe('Only those that were answered at this time or later.'),
  limit: queryNumber({ min: 1, max: maxCalls })
    .optional()
    .describe(`How many of the last calls; ${usualCalls} when absent.`),
});

export const callSwitchSchema = z
  .strictObject({ enabled: z.boolean().describe('Whether calls are kept.') })
  .describe('Whether the calls to a network are kept.');

/** What a replica returns of its own calls. */
export interface WantedCalls {
  /** uid of the network. */
  network: string;
  isFailedOnly: boolean;
  sinceMs: number;
  limit: number;
}

export const wantedOf = (
  network: string,
  { failed, since, limit = usualCalls }: z.infer<typeof callQuerySchema>,
): WantedCalls => ({
  network,
  isFailedOnly: failed === 'true',
  sinceMs: since === undefined ? 0 : Date.parse(since),
  limit,
});
