import { z } from 'zod';
import { type Permission, permissions } from '../access/permissions.ts';
import { timeSchema } from '../common.ts';
import { emailSchema, listOf, membershipSchema, roleSchema } from './workspace.ts';

const version = z.literal('v1alpha1');
const permissionNames = Object.keys(permissions) as [Permission, ...Permission[]];

const invitationStates = ['Pending', 'Accepted', 'Revoked', 'Expired'] as const;

const invitationShape = {
  kind: z.literal('Invitation'),
  version,
  id: z.string(),
  workspaceID: z.string(),
  email: emailSchema,
  role: roleSchema,
  state: z.enum(invitationStates).describe('What became of the invitation.'),
  invitedBy: z.string().optional().describe('User who invites.'),
  acceptedBy: z.string().optional().describe('User who accepted.'),
  createdAt: timeSchema.optional().describe('Creation time.'),
  expiresAt: timeSchema.optional().describe('Not to be accepted after this time.'),
};

export const invitationSchema = z.object(invitationShape).describe('An invitation to a workspace.');
export type Invitation = z.infer<typeof invitationSchema>;

export const newInvitationSchema = z
  .object({ ...invitationShape, token: z.string().describe('What the invited person accepts with.') })
  .describe('An invitation just made: the only answer that carries its token.');

export const invitationInputSchema = z
  .strictObject({
    email: emailSchema,
    role: roleSchema,
    expiresAt: timeSchema.optional().describe('Not to be accepted after this time; in 7 days when absent.'),
  })
  .describe('Whom to invite, and as what.');

export const acceptInvitationSchema = z
  .strictObject({ token: z.string().min(1).max(1024).describe('Token of the invitation.') })
  .describe('The invitation to accept.');

const apiKeyShape = {
  kind: z.literal('ApiKey'),
  version,
  id: z.string().describe('What X-API-Key-ID carries.'),
  workspaceID: z.string(),
  userID: z.string(),
  name: z.string().describe('Name to tell keys apart by.'),
  role: roleSchema,
  permissions: z.array(z.string()).describe('What the key may do.'),
  createdAt: timeSchema.optional().describe('Creation time.'),
  expiresAt: timeSchema.optional().describe('Not valid after this time.'),
  lastUsedAt: timeSchema.optional().describe('Last use, to about a minute.'),
};

export const apiKeySchema = z.object(apiKeyShape).describe('An API key, without its secret.');
export type ApiKey = z.infer<typeof apiKeySchema>;

export const newApiKeySchema = z
  .object({
    ...apiKeyShape,
    secret: z.string().describe('What X-API-Key-Secret carries.'),
    token: z.string().describe('The same credentials as a bearer token: id, a dot, secret.'),
  })
  .describe('An API key just made: the only answer that carries its secret.');

export const acceptedInvitationSchema = membershipSchema
  .extend({ apiKey: newApiKeySchema.optional().describe('First API key of an account that was made.') })
  .describe('The membership that an invitation led to.');

export const apiKeyInputSchema = z
  .strictObject({
    name: z.string().min(1).max(128).describe('Name to tell keys apart by.'),
    role: roleSchema,
    permissions: z
      .array(z.enum(permissionNames))
      .min(1)
      .max(permissionNames.length)
      .optional()
      .describe('Fewer permissions than the role has.'),
    expiresAt: timeSchema.optional().describe('Not valid after this time.'),
  })
  .describe('An API key to make.');

export const invitationListSchema = listOf('InvitationList', invitationSchema);
export const apiKeyListSchema = listOf('ApiKeyList', apiKeySchema);
export type NewApiKey = z.infer<typeof newApiKeySchema>;
export type AcceptedInvitation = z.infer<typeof acceptedInvitationSchema>;
export type ApiKeyInput = z.infer<typeof apiKeyInputSchema>;
export type InvitationInput = z.infer<typeof invitationInputSchema>;
