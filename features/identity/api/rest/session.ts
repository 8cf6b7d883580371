import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import { listOf } from '../../../../core/api/rest/workspace.ts';

export const sessionMethods = ['apiKey', 'passkey', 'password', 'link', 'oidc', 'wallet'] as const;
export type SessionMethod = (typeof sessionMethods)[number];

export const sessionMethodSchema = z.enum(sessionMethods).describe('How the user signed in.');

export const sessionSchema = z
  .object({
    kind: z.literal('Session'),
    version: z.literal('v1alpha1'),
    id: z.string(),
    userID: z.string(),
    method: sessionMethodSchema,
    apiKeyID: z.string().optional().describe('Id of the API key that signed in, if one did.'),
    isCurrent: z.boolean().describe('Whether it is the session of this request.'),
    userAgent: z.string().optional().describe('The User-Agent of the browser.'),
    source: z
      .string()
      .optional()
      .describe('The address that signed in, as far as trusted proxies report it.'),
    createdAt: timeSchema.optional().describe('When it began.'),
    expiresAt: timeSchema.describe('Time after which it is not valid, regardless of use.'),
    lastUsedAt: timeSchema.optional().describe('Time of the last use, accurate to about a minute.'),
  })
  .describe('A browser that is signed in.');
export type Session = z.infer<typeof sessionSchema>;

export const sessionInputSchema = z
  .strictObject({
    apiKey: z.string().min(1).max(1024).describe('Token of an API key: its id, a dot, and its secret.'),
  })
  .describe('Who signs in.');

export const sessionListSchema = listOf('SessionList', sessionSchema);
