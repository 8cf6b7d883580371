import { z } from 'zod';
import { type Permission, permissions, rolePermissions } from '../access/permissions.ts';
import { timeSchema } from '../common.ts';
import { emailSchema, listOf, membershipSchema, roleSchema } from './workspace.ts';

const version = z.literal('v1alpha1');
const permissionNames = Object.keys(permissions) as [Permission, ...Permission[]];

const invitationStates = ['Pending', 'Accepted', 'Revoked', 'Expired'] as const;

const deliverySchema = z.object({
  state: z
    .enum(['Pending', 'Sending', 'Sent', 'Retrying', 'Failed'])
    .describe('Sent: the mail server has accepted it. Failed: it is not retried.'),
  attempts: z.int().describe('How often it was handed to the mail server.'),
  updatedAt: timeSchema.optional().describe('When the state changed.'),
  error: z.string().optional().describe('Why the last attempt failed.'),
});

const invitationShape = {
  kind: z.literal('Invitation'),
  version,
  id: z.string(),
  workspaceID: z.string(),
  email: emailSchema,
  role: roleSchema,
  state: z.enum(invitationStates).describe('State of the invitation.'),
  invitedBy: z.string().optional().describe('Id of the user who created the invitation.'),
  acceptedBy: z.string().optional().describe('Id of the user who accepted it.'),
  delivery: deliverySchema
    .optional()
    .describe('The mail with the invitation; absent if the installation has no mail server.'),
  createdAt: timeSchema.optional().describe('Creation time.'),
  expiresAt: timeSchema.optional().describe('Time after which the invitation cannot be accepted.'),
};

export const invitationSchema = z.object(invitationShape).describe('An invitation to a workspace.');
export type Invitation = z.infer<typeof invitationSchema>;

export const newInvitationSchema = z
  .object({ ...invitationShape, token: z.string().describe('Token that accepts the invitation.') })
  .describe('A new invitation: only this response contains its token.');

export const invitationInputSchema = z
  .strictObject({
    email: emailSchema,
    role: roleSchema,
    expiresAt: timeSchema
      .optional()
      .describe('Time after which the invitation cannot be accepted; 7 days from now when absent.'),
  })
  .describe('The address to invite, and the role.');

export const acceptInvitationSchema = z
  .strictObject({
    token: z.string().min(1).max(1024).describe('Token of the invitation.'),
    signIn: z
      .boolean()
      .optional()
      .describe('For browsers without credentials: open a session instead of creating an API key.'),
  })
  .describe('The invitation to accept.');

export const invitationTokenSchema = z
  .strictObject({ token: z.string().min(1).max(1024).describe('Token of the invitation.') })
  .describe('The invitation to look at.');

export const invitationOfferSchema = z
  .object({
    kind: z.literal('InvitationOffer'),
    version,
    workspaceID: z.string(),
    workspaceName: z.string().describe('Display name of the workspace.'),
    role: roleSchema,
    email: emailSchema.describe('The invited address.'),
    inviter: z.string().describe('Name, address or id of the user who sent the invitation.'),
    emailVerified: z
      .boolean()
      .describe(
        'Whether this token was mailed to the address, so that accepting with it proves the address.',
      ),
    expiresAt: timeSchema.describe('Time after which it cannot be accepted.'),
  })
  .describe('What a pending invitation offers to whoever has its token.');

const apiKeyShape = {
  kind: z.literal('ApiKey'),
  version,
  id: z.string().describe('Value for the header X-API-Key-ID.'),
  workspaceID: z.string(),
  userID: z.string(),
  name: z.string().describe('Name of the key, for people.'),
  role: roleSchema,
  permissions: z.array(z.string()).describe('Permissions of the key.'),
  createdAt: timeSchema.optional().describe('Creation time.'),
  expiresAt: timeSchema.optional().describe('Time after which the key is not valid.'),
  lastUsedAt: timeSchema.optional().describe('Time of the last use, accurate to about a minute.'),
  device: z
    .string()
    .optional()
    .describe('The machine that requested it, if it was created by a device sign-in.'),
};

export const apiKeySchema = z.object(apiKeyShape).describe('An API key, without its secret.');
export type ApiKey = z.infer<typeof apiKeySchema>;

export const newApiKeySchema = z
  .object({
    ...apiKeyShape,
    secret: z.string().describe('Value for the header X-API-Key-Secret.'),
    token: z.string().describe('The same credentials as a bearer token: the id, a dot, and the secret.'),
  })
  .describe('A new API key: only this response contains its secret.');

export const acceptedInvitationSchema = membershipSchema
  .extend({
    apiKey: newApiKeySchema.optional().describe('First API key of the new account, if one was created.'),
  })
  .describe('The membership that the invitation created.');

export const apiKeyInputSchema = z
  .strictObject({
    name: z.string().min(1).max(128).describe('Name of the key, for people.'),
    role: roleSchema,
    permissions: z
      .array(z.enum(permissionNames))
      .min(1)
      .max(permissionNames.length)
      .optional()
      .describe('Restricts the key to these permissions of the role.'),
    expiresAt: timeSchema.optional().describe('Time after which the key is not valid.'),
  })
  .superRefine(({ role, permissions = [] }, context) => {
    const ofRole: readonly string[] = rolePermissions[role];
    for (const [index, permission] of permissions.entries()) {
      if (ofRole.includes(permission)) continue;
      const message = `the role ${role} does not have it: leave it out, or name a role that has it`;
      context.addIssue({ code: 'custom', path: ['permissions', index], message });
    }
  })
  .describe('An API key to create.');

export const invitationListSchema = listOf('InvitationList', invitationSchema);
export const apiKeyListSchema = listOf('ApiKeyList', apiKeySchema);
export type NewApiKey = z.infer<typeof newApiKeySchema>;
export type AcceptedInvitation = z.infer<typeof acceptedInvitationSchema>;
export type ApiKeyInput = z.infer<typeof apiKeyInputSchema>;
export type InvitationInput = z.infer<typeof invitationInputSchema>;
