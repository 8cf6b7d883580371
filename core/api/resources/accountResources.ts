import { z } from 'zod';
import { immutable, listMap, listSet, withRules } from '../cel.ts';
import { conditionSchema, nameSchema, timeSchema } from '../common.ts';
import { roleSchema } from '../rest/workspace.ts';
import { addressSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * Accounts as custom resources. They live in the namespace of the service. The names of a workspace, a user, an
 * invitation and a key are their ids; that of a membership is `<workspace>.<user>`.
 */

const workspaceIdSchema = nameSchema.max(55).describe('Id of the workspace.');
export const userIdSchema = nameSchema.describe('Id of the user.');
/** REST checks addresses completely; Kubernetes cannot check the full pattern. */
export const storedEmailSchema = z
  .string()
  .max(254)
  .regex(/^[^@\s]+@[^@\s]+$/)
  .describe('E-mail address.');
const descriptionSchema = z.string().max(1024).optional().describe('Purpose of the workspace.');
const conditionsSchema = z
  .array(conditionSchema)
  .optional()
  .meta(listMap('type'))
  .describe('Kubernetes conditions, for example Ready.');
const observedGenerationSchema = z
  .int()
  .optional()
  .describe('The generation of the spec that this status describes.');

export const workspaceSpecSchema = z
  .strictObject({
    name: nameSchema.describe('Display name.'),
    description: descriptionSchema,
    owners: z
      .array(userIdSchema)
      .min(1)
      .max(100)
      .meta(listSet)
      .describe(
        'Ids of the users who own the workspace: a membership with role owner counts as admin if its user is not listed here.',
      ),
    personalFor: userIdSchema.optional().describe('The user whose personal workspace this is.'),
    createdBy: userIdSchema
      .optional()
      .describe('The user whose quota of workspaces it counts for, whoever owns it later.'),
  })
  .describe('A group of networks, secrets, tokens and recordings with its members.');
export type WorkspaceSpec = z.infer<typeof workspaceSpecSchema>;

export const workspaceStatusSchema = z
  .object({
    namespace: z.string().optional().describe('Kubernetes namespace of its objects.'),
    serviceAccountKey: z
      .string()
      .optional()
      .describe("Id of the key in service-account-keys that the workspace's service account derives from."),
    observedGeneration: observedGenerationSchema,
    conditions: conditionsSchema,
  })
  .describe('Observed state.');
type WorkspaceStatus = z.infer<typeof workspaceStatusSchema>;

const emailProofs = ['oidc', 'mail'] as const;
export type EmailProof = (typeof emailProofs)[number];

export const userSpecSchema = z
  .strictObject({
    email: storedEmailSchema
      .optional()
      .describe('E-mail address as stated at creation; whether its user owns it is in emailProof.'),
    emailProof: z
      .enum(emailProofs)
      .optional()
      .describe(
        'How the user has proven to own the address: an identity provider that the installation trusts, or a mail to it. Absent: not at all.',
      ),
    name: z.string().max(128).optional().describe('Display name.'),
    personalWorkspace: workspaceIdSchema
      .optional()
      .describe('Id of the personal workspace, created with the account.'),
    invitation: z.string().max(63).optional().describe('Id of the invitation that created the account.'),
    sponsor: userIdSchema
      .optional()
      .describe(
        'The user whose quota of invited accounts it counts for; none if members of the default workspace or the administrator invited it there.',
      ),
    signIns: z
      .strictObject({
        generation: z
          .int()
          .min(1)
          .describe(
            'How often a password, a passkey or an identity was changed or removed. Sessions of former generations have ended.',
          ),
        session: z
          .string()
          .max(63)
          .optional()
          .describe('Id of the session that made the last change, which did not end by it.'),
        password: z
          .string()
          .max(63)
          .optional()
          .describe(
            'Name of the Password that signs in; empty if it was removed. Absent: as in version 0.3.0.',
          ),
      })
      .optional()
      .describe('What signs the user in, written at once with each change.'),
  })
  .describe('A person or machine that uses the service.');
export type UserSpec = z.infer<typeof userSpecSchema>;

export const userStatusSchema = z
  .object({
    address: addressSchema.optional().describe('Address of the default key.'),
    bootstrapKey: z
      .object({
        lastUsedAt: timeSchema.optional().describe('Time of the last use, accurate to about a minute.'),
        revokedAt: timeSchema
          .optional()
          .describe('When it was revoked: no bootstrap key is valid until this field is removed.'),
      })
      .optional()
      .describe('Use and revocation of the first API key of the installation; only at the administrator.'),
    defaultKeyGenerated: z
      .boolean()
      .optional()
      .describe('Whether the default key was generated: it is generated once and then belongs to the user.'),
    observedGeneration: observedGenerationSchema,
    conditions: conditionsSchema,
  })
  .describe('Observed state.');
type UserStatus = z.infer<typeof userStatusSchema>;

export const membershipSpecSchema = z
  .strictObject({ workspace: workspaceIdSchema, user: userIdSchema, role: roleSchema })
  .meta(withRules(immutable('workspace', 'spec.workspace'), immutable('user', 'spec.user')))
  .describe('The workspace, the user and the role.');
export type MembershipSpec = z.infer<typeof membershipSpecSchema>;

export const hashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe("HMAC-SHA-256 of the secret under the installation's pepper, in hexadecimal.");

export const invitationSpecSchema = z
  .strictObject({
    workspace: workspaceIdSchema,
    email: storedEmailSchema,
    role: roleSchema,
    invitedBy: userIdSchema,
    expiresAt: timeSchema.describe('Time after which the invitation cannot be accepted.'),
    isMailed: z.boolean().optional().describe('Whether it is mailed to the address.'),
    tokenHash: hashSchema,
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec is immutable' }))
  .describe('The invited address, the workspace and the role.');
export type InvitationSpec = z.infer<typeof invitationSpecSchema>;

/** Accepting: one user has used its token, and the membership is being created. Expiry is not stored. */
const storedInvitationStates = ['Pending', 'Accepting', 'Accepted', 'Revoked'] as const;

const deliverySchema = z
  .object({
    state: z
      .enum(['Pending', 'Sending', 'Sent', 'Retrying', 'Failed'])
      .describe(
        'Pending: to be sent, once more. Sending: handed to the mail server, which has not answered yet.',
      ),
    attempts: z.int().min(0).describe('How often it was handed to the mail server.'),
    resends: z.int().min(0).optional().describe('How often a member had it mailed again.'),
    updatedAt: timeSchema.describe('When the state was last written.'),
    error: z.string().max(512).optional().describe('Why the last attempt failed.'),
  })
  .describe('The mail with the invitation.');
export type InvitationDelivery = z.infer<typeof deliverySchema>;

export const invitationStatusSchema = z
  .object({
    state: z.enum(storedInvitationStates).optional().describe('State of the invitation.'),
    acceptedBy: userIdSchema.optional().describe('The user who accepted it.'),
    request: z
      .string()
      .max(128)
      .optional()
      .describe('Identifier of the attempt that accepted it: no other one gave anything out.'),
    membership: z.string().max(64).optional().describe('Uid of the membership that it created.'),
    delivery: deliverySchema.optional(),
  })
  .describe('Observed state.');
export type InvitationStatus = z.infer<typeof invitationStatusSchema>;

export const apiKeySpecSchema = z
  .strictObject({
    workspace: workspaceIdSchema,
    user: userIdSchema,
    name: z.string().min(1).max(128).describe('Name of the key, for people.'),
    role: roleSchema.describe('Maximum role of the key, whatever role its user has.'),
    permissions: z
      .array(z.string().max(64))
      .max(64)
      .optional()
      .describe('Restricts the key to these permissions of the role.'),
    expiresAt: timeSchema.optional().describe('Time after which the key is not valid.'),
    device: z
      .string()
      .max(64)
      .optional()
      .describe('The machine that requested it, if it was created by a device sign-in.'),
    secretHash: hashSchema,
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec is immutable' }))
  .describe('The user of the key and its access.');
export type ApiKeySpec = z.infer<typeof apiKeySpecSchema>;

export const apiKeyStatusSchema = z
  .object({ lastUsedAt: timeSchema.optional().describe('Time of the last use, accurate to about a minute.') })
  .describe('Observed use.');
type ApiKeyStatus = z.infer<typeof apiKeyStatusSchema>;

interface Resource<Kind extends string, Spec, Status> extends NamespacedObject {
  kind: Kind;
  spec: Spec;
  status?: Status;
}
export type WorkspaceResource = Resource<'Workspace', WorkspaceSpec, WorkspaceStatus>;
export type UserResource = Resource<'User', UserSpec, UserStatus>;
export type MembershipResource = Resource<'Membership', MembershipSpec, never>;
export type InvitationResource = Resource<'Invitation', InvitationSpec, InvitationStatus>;
export type ApiKeyResource = Resource<'ApiKey', ApiKeySpec, ApiKeyStatus>;
