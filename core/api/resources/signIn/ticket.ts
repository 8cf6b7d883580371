import { z } from 'zod';
import { withRules } from '../../cel.ts';
import { timeSchema } from '../../common.ts';
import type { NamespacedObject } from '../kubeObject.ts';

/** Something of a sign-in that counts once: whoever deletes it, or is the first to create it, uses it. */
export const signInTicketSpecSchema = z
  .strictObject({
    purpose: z
      .enum(['link', 'spent'])
      .describe('`link`: a sign-in link that nobody has used. `spent`: a challenge that was answered.'),
    expiresAt: timeSchema.describe('Time after which it does not count.'),
    user: z.string().max(63).optional().describe('Id of the user that it signs in.'),
    apiKey: z
      .string()
      .max(63)
      .optional()
      .describe('Id of the API key that it was created with, which must be valid when it is used.'),
    secretHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe("HMAC-SHA-256 of its secret under the installation's pepper, in hexadecimal."),
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec is immutable' }))
  .describe('What it is for, and until when.');
type SignInTicketSpec = z.infer<typeof signInTicketSpecSchema>;

export interface SignInTicketResource extends NamespacedObject {
  kind: 'SignInTicket';
  spec: SignInTicketSpec;
}
