import { z } from 'zod';
import { immutable, withRules } from '../../../../core/api/cel.ts';
import { timeSchema } from '../../../../core/api/common.ts';
import type { NamespacedObject } from '../../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../../core/api/resources/own.ts';

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(max);

export const passkeySpecSchema = z
  .strictObject({
    user: z.string().max(63).describe('Id of the user.'),
    name: z.string().min(1).max(128).describe('Name of the passkey, for people.'),
    credentialID: base64url(1400).describe('Its id, as the authenticator made it, in base64url.'),
    publicKey: base64url(8192).describe('Its public key in COSE, in base64url.'),
    deviceType: z
      .enum(['singleDevice', 'multiDevice'])
      .describe('Whether it stays on its device or may be backed up; it never changes.'),
    transports: z
      .array(z.string().max(32))
      .max(8)
      .optional()
      .describe('How browsers reach it, for their hints.'),
  })
  .meta(
    withRules(
      immutable('user', 'spec.user'),
      immutable('credentialID', 'spec.credentialID'),
      immutable('publicKey', 'spec.publicKey'),
      immutable('deviceType', 'spec.deviceType'),
    ),
  )
  .describe('A public key of a user. The private key never leaves the authenticator.');
type PasskeySpec = z.infer<typeof passkeySpecSchema>;

export const passkeyStatusSchema = z
  .object({
    counter: z.int().min(0).optional().describe('Signatures that it has reported; 0 if it does not count.'),
    isBackedUp: z.boolean().optional().describe('Whether it is backed up, as reported at its last use.'),
    lastUsedAt: timeSchema.optional().describe('Time of the last sign-in.'),
  })
  .describe('Observed use.');
type PasskeyStatus = z.infer<typeof passkeyStatusSchema>;

export interface PasskeyResource extends NamespacedObject {
  kind: 'Passkey';
  spec: PasskeySpec;
  status?: PasskeyStatus;
}
export const passkeyType = ownType<PasskeyResource>('Passkey');
