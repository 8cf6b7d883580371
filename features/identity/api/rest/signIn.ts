import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import { sessionMethods } from './session.ts';

const version = z.literal('v1alpha1');

export const signInOptionsSchema = z
  .object({
    kind: z.literal('SignInOptions'),
    version,
    methods: z.array(z.enum(sessionMethods)).describe('The ways to sign in that this installation offers.'),
    passkeyOrigin: z
      .string()
      .optional()
      .describe('The origin at which passkeys work; absent if they do not.'),
    providers: z
      .array(
        z.object({
          name: z.string().describe('Its name in paths.'),
          title: z.string().describe('What people call it.'),
        }),
      )
      .describe('The OpenID providers of this installation.'),
  })
  .describe('How users sign in here.');

export const signInLinkSchema = z
  .object({
    kind: z.literal('SignInLink'),
    version,
    url: z
      .string()
      .describe('Open it in a browser. Its secret is in the fragment, which browsers send to no server.'),
    expiresAt: timeSchema.describe('Time after which it is not valid.'),
  })
  .describe('A link that signs its user in once.');

export const linkTokenSchema = z
  .strictObject({ token: z.string().min(1).max(1024).describe('What follows the # in the link.') })
  .describe('The secret of a sign-in link.');
