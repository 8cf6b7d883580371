import { z } from 'zod';
import { timeSchema } from '../common.ts';
import { emailSchema } from './workspace.ts';

const minPasswordLength = 12;
const maxPasswordLength = 256;

export const passwordSchema = z
  .object({
    kind: z.literal('Password'),
    version: z.literal('v1alpha1'),
    isSet: z.boolean().describe('Whether the caller has a password.'),
    email: emailSchema.optional().describe('The address that it is used with.'),
    changedAt: timeSchema.optional().describe('When it was set.'),
  })
  .describe("The caller's password, which is never shown.");

export const passwordInputSchema = z
  .strictObject({
    email: emailSchema
      .optional()
      .describe('The address to sign in with; that of the account when absent. Each signs one account in.'),
    password: z
      .string()
      .min(minPasswordLength, `use at least ${minPasswordLength} characters`)
      .max(maxPasswordLength, `use at most ${maxPasswordLength} characters`)
      .describe('The new password. It must not contain the address.'),
  })
  .describe('A password to set.');

export const passwordSignInSchema = z
  .strictObject({
    email: z.string().min(1).max(254).describe('The address that the password was set with.'),
    password: z.string().min(1).max(maxPasswordLength).describe('The password.'),
  })
  .describe('Who signs in.');
