import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import { emailSchema, listOf } from '../../../../core/api/rest/workspace.ts';
import { addressSchema, ownedAddressSchema } from '../../../../core/api/values.ts';
import { sessionSchema } from './session.ts';

const version = z.literal('v1alpha1');

/** A page of the console: never another host. */
const nextSchema = z
  .string()
  .max(512)
  .regex(/^\/(?![/\\])[^\s\\]*$/, 'use a path of the console: /networks')
  .optional()
  .describe('The page of the console to return to.');

export const oidcAttemptSchema = z
  .object({
    kind: z.literal('OidcAttempt'),
    version,
    url: z.string().describe('Where the browser goes to sign in.'),
  })
  .describe('A sign-in at an OpenID provider that has begun; its cookie is in the header Set-Cookie.');

export const oidcAttemptInputSchema = z
  .strictObject({
    invitation: z
      .string()
      .min(1)
      .max(1024)
      .optional()
      .describe('Token of an invitation, which is accepted with the sign-in.'),
    next: nextSchema,
  })
  .describe('What happens after the sign-in.');

const callbackSchema = z
  .string()
  .min(1)
  .max(8192)
  .describe('The query of the address that the provider sent the browser back to.');

export const oidcCallbackSchema = z
  .strictObject({ callback: callbackSchema })
  .describe('What the provider answered.');

export const oidcSessionSchema = sessionSchema
  .extend({
    workspaceID: z.string().optional().describe('The workspace that was joined with the sign-in, if any.'),
    next: nextSchema,
  })
  .describe('The session that a sign-in at an OpenID provider opened.');

export const walletInputSchema = z
  .strictObject({ address: ownedAddressSchema.describe('Address of the wallet.') })
  .describe('The wallet that is to sign.');

export const walletChallengeSchema = z
  .object({
    kind: z.literal('WalletChallenge'),
    version,
    message: z.string().describe('The exact text that the wallet signs with personal_sign (EIP-4361).'),
    challenge: z.string().describe('Send it back with the signature.'),
    expiresAt: timeSchema.describe('Time after which it is not accepted.'),
  })
  .describe('A message that a wallet signs to prove its address. It can be used once.');
export type WalletChallenge = z.infer<typeof walletChallengeSchema>;

export const walletProofSchema = z
  .strictObject({
    challenge: z.string().min(1).max(4096).describe('The challenge that was signed.'),
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'use 65 bytes in hexadecimal: signatures of contracts are not supported')
      .describe('The signature of its message.'),
  })
  .describe('A signed challenge.');

export const identitySchema = z
  .object({
    kind: z.literal('Identity'),
    version,
    id: z.string(),
    userID: z.string(),
    type: z.enum(['oidc', 'wallet']).describe('What signs in.'),
    issuer: z.string().optional().describe('The OpenID provider.'),
    provider: z
      .string()
      .optional()
      .describe('Name of the provider in this installation; absent if it was removed.'),
    email: emailSchema.optional().describe('Verified e-mail address at the provider when it was linked.'),
    address: addressSchema.optional().describe('Address of the wallet.'),
    createdAt: timeSchema.optional().describe('When it was linked.'),
  })
  .describe('An account at an OpenID provider, or a wallet, that signs in as a user.');
export type Identity = z.infer<typeof identitySchema>;

export const identityInputSchema = z
  .strictObject({
    callback: callbackSchema.optional(),
    wallet: walletProofSchema.optional(),
  })
  .refine(({ callback, wallet }) => (callback === undefined) !== (wallet === undefined), {
    error: 'send either callback or wallet',
  })
  .describe('What to link: the answer of an OpenID provider, or a signed challenge.');

export const identityListSchema = listOf('IdentityList', identitySchema);
