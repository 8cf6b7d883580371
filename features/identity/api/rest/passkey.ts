import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import { listOf } from '../../../../core/api/rest/workspace.ts';

/** Shapes of Web Authentication (https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON and after). */

const version = z.literal('v1alpha1');
const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'use base64url')
    .max(max);

export const passkeySchema = z
  .object({
    kind: z.literal('Passkey'),
    version,
    id: z.string(),
    userID: z.string(),
    name: z.string(),
    isBackedUp: z.boolean().describe('Whether it is backed up, and so not lost with one device.'),
    createdAt: timeSchema.optional().describe('Creation time.'),
    lastUsedAt: timeSchema.optional().describe('Time of the last sign-in with it.'),
  })
  .describe('A passkey of the caller.');
export type Passkey = z.infer<typeof passkeySchema>;

export const passkeyListSchema = listOf('PasskeyList', passkeySchema);

const nameSchema = z.string().trim().min(1).max(128).describe('Name of the passkey, for people.');
export const passkeyNameSchema = z.strictObject({ name: nameSchema }).describe('The new name.');

const transportsSchema = z.array(z.string().max(32)).max(8).optional();
const credential = {
  id: base64url(1400).describe('Id of the credential.'),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(32).optional(),
};

export const passkeyInputSchema = z
  .strictObject({
    name: nameSchema,
    credential: z
      .strictObject({
        ...credential,
        response: z.strictObject({
          clientDataJSON: base64url(8192),
          attestationObject: base64url(65_536),
          transports: transportsSchema,
        }),
      })
      .describe('What the browser answered, in JSON.'),
  })
  .describe('A passkey to enrol.');

export const passkeyAnswerSchema = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(8192),
      signature: base64url(8192),
      userHandle: base64url(128).optional(),
    }),
  })
  .describe('What the browser answered, in JSON.');

const challengeSchema = z.string().describe('Valid for five minutes and one sign-in, in base64url.');

export const passkeyRequestOptionsSchema = z
  .object({
    challenge: challengeSchema,
    rpId: z.string().describe('The domain that the passkeys are for.'),
    timeout: z.number(),
    userVerification: z.enum(['required']),
  })
  .describe('PublicKeyCredentialRequestOptions in JSON.');

export const passkeyCreationOptionsSchema = z
  .object({
    challenge: challengeSchema,
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
    timeout: z.number(),
    excludeCredentials: z.array(
      z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()).optional() }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.enum(['required']),
      requireResidentKey: z.boolean(),
      userVerification: z.enum(['required']),
    }),
    attestation: z.enum(['none']),
  })
  .describe('PublicKeyCredentialCreationOptions in JSON.');
