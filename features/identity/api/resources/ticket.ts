import { z } from 'zod';
import { withRules } from '../../../../core/api/cel.ts';
import { timeSchema } from '../../../../core/api/common.ts';
import type { NamespacedObject } from '../../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../../core/api/resources/own.ts';
import { roleSchema } from '../../../../core/api/rest/workspace.ts';

/** Something of a sign-in that counts once: whoever deletes it, or is the first to create it, uses it. */
export const signInTicketSpecSchema = z
  .strictObject({
    purpose: z
      .enum(['link', 'spent', 'device', 'deviceAnswer'])
      .describe(
        '`link`: a sign-in link that nobody has used. `spent`: a challenge that was answered. `device`: a machine that asks for an API key. `deviceAnswer`: what a user said to it.',
      ),
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
    device: z
      .strictObject({
        name: z.string().max(64).describe('What the machine calls itself.'),
        source: z.string().max(64).optional().describe('The address that it asks from.'),
      })
      .optional()
      .describe('The machine that asks.'),
    grant: z
      .strictObject({
        workspace: z.string().max(55).describe('Id of the workspace.'),
        name: z.string().min(1).max(128).describe('Name of the API key.'),
        role: roleSchema,
        permissions: z
          .array(z.string().max(64))
          .max(64)
          .optional()
          .describe('Restricts the key to these permissions of the role.'),
        expiresAt: timeSchema.optional().describe('Time after which the key is not valid.'),
        membership: z
          .string()
          .max(64)
          .optional()
          .describe('Uid of the membership that the user approved it under, which the key needs.'),
        generation: z
          .int()
          .min(0)
          .optional()
          .describe("The generation of the user's ways to sign in, which must not have changed since."),
      })
      .optional()
      .describe('The API key that the machine gets; absent where it was denied.'),
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec is immutable' }))
  .describe('What it is for, and until when.');
export type SignInTicketSpec = z.infer<typeof signInTicketSpecSchema>;

export interface SignInTicketResource extends NamespacedObject {
  kind: 'SignInTicket';
  spec: SignInTicketSpec;
}
export const signInTicketType = ownType<SignInTicketResource>('SignInTicket');
