import { z } from 'zod';
import { withRules } from '../../../../core/api/cel.ts';
import { timeSchema } from '../../../../core/api/common.ts';
import { hashSchema, userIdSchema } from '../../../../core/api/resources/accountResources.ts';
import type { NamespacedObject } from '../../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../../core/api/resources/own.ts';
import { sessionMethodSchema } from '../rest/session.ts';

export const sessionSpecSchema = z
  .strictObject({
    user: userIdSchema,
    method: sessionMethodSchema,
    apiKey: z
      .string()
      .max(63)
      .optional()
      .describe(
        'Id of the API key that signed in: the session has its access and ends with it. Other sessions have the access of their user.',
      ),
    generation: z
      .int()
      .min(0)
      .optional()
      .describe("The generation of its user's ways to sign in; 0 if absent. It ends with the next one."),
    expiresAt: timeSchema.describe('Time after which the session is not valid, however much it is used.'),
    userAgent: z.string().max(256).optional().describe('The User-Agent of the browser.'),
    source: z
      .string()
      .max(64)
      .optional()
      .describe('The address that signed in, as far as trusted proxies report it.'),
    secretHash: hashSchema,
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec is immutable' }))
  .describe('Who signed in, from where, and for how long.');
type SessionSpec = z.infer<typeof sessionSpecSchema>;

export const sessionStatusSchema = z
  .object({ lastUsedAt: timeSchema.optional().describe('Time of the last use, accurate to about a minute.') })
  .describe('Observed use.');
type SessionStatus = z.infer<typeof sessionStatusSchema>;

export interface SessionResource extends NamespacedObject {
  kind: 'Session';
  spec: SessionSpec;
  status?: SessionStatus;
}
export const sessionType = ownType<SessionResource>('Session');
