import { z } from 'zod';
import { selectorSchema } from '../common.ts';

/** Query of GET .../events. */
export const eventQuerySchema = z.strictObject({
  types: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe('Types of events, separated by commas: network.operational, network.*; all when absent.'),
  selector: selectorSchema.optional(),
  follow: z
    .enum(['true', 'false'])
    .optional()
    .describe('false: the response ends after the existing objects.'),
  lastEventId: z
    .string()
    .max(1024)
    .optional()
    .describe(
      'Where to resume, for clients that cannot send the header Last-Event-ID, which takes precedence.',
    ),
});
