import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import { emailSchema } from '../../../../core/api/rest/workspace.ts';

const minPasswordLength = 12;
const maxPasswordLength = 256;

export const passwordSchema = z
  .object({
    kind: z.literal('Password'),
    version: z.literal('v1alpha1'),
    isSet: z.boolean().describe('Whether the caller has a password.'),
    email: emailSchema.optional().describe('The address that it is used with: that of the account.'),
    canChangeEmail: z
      .boolean()
      .describe(
        'Whether the next password may name another address: nobody invited the account to the one that it has, and it has not proven it.',
      ),
    changedAt: timeSchema.optional().describe('When it was set.'),
  })
  .describe("The caller's password, which is never shown.");
export type Password = z.infer<typeof passwordSchema>;

export const passwordInputSchema = z
  .strictObject({
    email: emailSchema
      .optional()
      .describe(
        'The address to sign in with, if the account has none yet; otherwise leave it out. It becomes the address of the account, unproven.',
      ),
    password: z
      .string()
      .min(minPasswordLength, `use at least ${minPasswordLength} characters`)
      .max(maxPasswordLength, `use at most ${maxPasswordLength} characters`)
      .describe('The new password. It must not contain the address.'),
  })
  .describe('A password to set.');

export const passwordSignInSchema = z
  .strictObject({
    email: z.string().min(1).max(254).describe('The address of the account.'),
    password: z.string().min(1).max(maxPasswordLength).describe('The password.'),
  })
  .describe('Who signs in.');
