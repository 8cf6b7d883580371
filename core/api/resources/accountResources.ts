import { z } from 'zod';
import { immutable, listMap, listSet, withRules } from '../cel.ts';
import { conditionSchema, nameSchema, timeSchema } from '../common.ts';
import { roleSchema } from '../rest/workspace.ts';
import { addressSchema } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

/**
 * Accounts as custom resources. They live in the service's own namespace and are told apart by their names: a
 * workspace, a user, an invitation and a key by their ids, a membership by `<workspace>.<user>`.
 */

const workspaceIdSchema = nameSchema.max(55).describe('Id of the workspace.');
const userIdSchema = nameSchema.describe('Id of the user.');
/** Checked where it comes in; the full pattern is none that Kubernetes could check. */
const emailSchema = z
  .string()
  .max(254)
  .regex(/^[^@\s]+@[^@\s]+$/)
  .describe('E-mail address.');
const descriptionSchema = z.string().max(1024).optional().describe('What the workspace is for.');
const conditionsSchema = z
  .array(conditionSchema)
  .optional()
  .meta(listMap('type'))
  .describe('Kubernetes conditions: Ready, …');
const observedGenerationSchema = z
  .int()
  .optional()
  .describe('The generation of the spec that this status is about.');

export const workspaceSpecSchema = z
  .strictObject({
    name: nameSchema.describe('Name to show.'),
    description: descriptionSchema,
    owners: z
      .array(userIdSchema)
      .min(1)
      .max(100)
      .meta(listSet)
      .describe(
        'Users who own the workspace: a membership with the role owner counts as admin without this.',
      ),
    personalFor: userIdSchema.optional().describe('The user whose personal workspace this is.'),
  })
  .describe('A home of networks, secrets, tokens and recordings.');
export type WorkspaceSpec = z.infer<typeof workspaceSpecSchema>;

export const workspaceStatusSchema = z
  .object({
    namespace: z.string().optional().describe('Kubernetes namespace that holds its objects.'),
    observedGeneration: observedGenerationSchema,
    conditions: conditionsSchema,
  })
  .describe('What is there.');
type WorkspaceStatus = z.infer<typeof workspaceStatusSchema>;

export const userSpecSchema = z
  .strictObject({
    email: emailSchema.optional(),
    name: z.string().max(128).optional().describe('Name to show.'),
    personalWorkspace: workspaceIdSchema.optional().describe('The workspace that came with the account.'),
    invitation: z.string().max(63).optional().describe('Id of the invitation that the account began with.'),
  })
  .describe('A person, or a machine, that works with the service.');
export type UserSpec = z.infer<typeof userSpecSchema>;

export const userStatusSchema = z
  .object({
    address: addressSchema.optional().describe('Address of the default key.'),
    defaultKeyGenerated: z
      .boolean()
      .optional()
      .describe('Whether the default key was made: it is made once, and then belongs to the user.'),
    observedGeneration: observedGenerationSchema,
    conditions: conditionsSchema,
  })
  .describe('What is there.');
type UserStatus = z.infer<typeof userStatusSchema>;

export const membershipSpecSchema = z
  .strictObject({ workspace: workspaceIdSchema, user: userIdSchema, role: roleSchema })
  .meta(withRules(immutable('workspace', 'spec.workspace'), immutable('user', 'spec.user')))
  .describe('Who belongs to which workspace, and as what.');
export type MembershipSpec = z.infer<typeof membershipSpecSchema>;

const hashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('HMAC-SHA-256 of the secret under the installation’s pepper, in hexadecimal.');

export const invitationSpecSchema = z
  .strictObject({
    workspace: workspaceIdSchema,
    email: emailSchema,
    role: roleSchema,
    invitedBy: userIdSchema,
    expiresAt: timeSchema.describe('Not to be accepted after this time.'),
    tokenHash: hashSchema,
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec never changes' }))
  .describe('Whom to invite, where to, and as what.');
export type InvitationSpec = z.infer<typeof invitationSpecSchema>;

/** Accepting: its token is taken by one user, whose membership is being made. Expiry is not stored. */
const storedInvitationStates = ['Pending', 'Accepting', 'Accepted', 'Revoked'] as const;

export const invitationStatusSchema = z
  .object({
    state: z.enum(storedInvitationStates).optional().describe('What became of the invitation.'),
    acceptedBy: userIdSchema.optional().describe('The user who accepted it.'),
    request: z.string().max(128).optional().describe('Mark of the request that accepted it.'),
  })
  .describe('What became of it.');
export type InvitationStatus = z.infer<typeof invitationStatusSchema>;

export const apiKeySpecSchema = z
  .strictObject({
    workspace: workspaceIdSchema,
    user: userIdSchema,
    name: z.string().min(1).max(128).describe('Name to tell keys apart by.'),
    role: roleSchema.describe('The most that the key may be, whatever role its user has.'),
    permissions: z
      .array(z.string().max(64))
      .max(64)
      .optional()
      .describe('Fewer permissions than the role has.'),
    expiresAt: timeSchema.optional().describe('Not valid after this time.'),
    secretHash: hashSchema,
  })
  .meta(withRules({ rule: 'self == oldSelf', message: 'spec never changes' }))
  .describe('Whose key it is, and what it opens.');
export type ApiKeySpec = z.infer<typeof apiKeySpecSchema>;

export const apiKeyStatusSchema = z
  .object({ lastUsedAt: timeSchema.optional().describe('Last use, to about a minute.') })
  .describe('What is known of its use.');
export type ApiKeyStatus = z.infer<typeof apiKeyStatusSchema>;

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
