import { z } from 'zod';
import { roles } from '../access/permissions.ts';
import { listMetaSchema, nameSchema, objectMetaSchema, timeSchema } from '../common.ts';
import { addressSchema } from '../values.ts';

export const roleSchema = z.enum(roles).describe('Role in the workspace.');
export const emailSchema = z.email('use an e-mail address').max(254).describe('E-mail address.');

/** Present with an e-mail address. */
const emailVerifiedSchema = z
  .boolean()
  .optional()
  .describe('Whether the user has proven to own the e-mail address.');

const version = z.literal('v1alpha1');
const descriptionSchema = z.string().max(1024).describe('Purpose of the workspace.');

export const userSchema = z
  .object({
    kind: z.literal('User'),
    version,
    id: z.string(),
    email: emailSchema.optional(),
    emailVerified: emailVerifiedSchema,
    name: z.string().optional().describe('Display name.'),
    address: addressSchema.optional().describe('Address of the default key, which signs transactions.'),
    personalWorkspaceID: z
      .string()
      .optional()
      .describe('Id of the personal workspace, created with the account.'),
    createdAt: timeSchema.optional().describe('Creation time.'),
  })
  .describe('A user account.');
export type User = z.infer<typeof userSchema>;

export const workspaceSchema = z
  .object({
    kind: z.literal('Workspace'),
    version,
    id: z.string(),
    name: nameSchema,
    description: descriptionSchema.optional(),
    metadata: objectMetaSchema,
  })
  .describe('A workspace: a group of networks, secrets, tokens and recordings with its members.');
export type Workspace = z.infer<typeof workspaceSchema>;

export const workspaceInputSchema = z
  .strictObject({ name: nameSchema, description: descriptionSchema.optional() })
  .describe('A workspace to create or replace.');

export const meSchema = z
  .object({
    kind: z.literal('Me'),
    version,
    user: userSchema,
    workspace: workspaceSchema.optional().describe('The workspace of this request.'),
    role: roleSchema,
    permissions: z
      .array(z.string())
      .describe('Permissions of the credentials of this request in the workspace.'),
    apiKeyID: z.string().optional().describe('Id of the API key of this request.'),
    sessionID: z
      .string()
      .optional()
      .describe('Id of the session of this request, if a browser sent its cookie.'),
  })
  .describe('The caller and its permissions.');

export const membershipSchema = z
  .object({
    kind: z.literal('Membership'),
    version,
    userID: z.string(),
    workspaceID: z.string(),
    email: emailSchema.optional(),
    emailVerified: emailVerifiedSchema,
    role: roleSchema,
    createdAt: timeSchema.optional().describe('Creation time.'),
  })
  .describe('The membership of a user in a workspace.');
export type Membership = z.infer<typeof membershipSchema>;

export const membershipInputSchema = z.strictObject({ role: roleSchema }).describe('The new role.');

export const permissionsSchema = z
  .object({
    kind: z.literal('PermissionSet'),
    version,
    permissions: z.record(z.string(), z.string()).describe('Permission to its description.'),
    roles: z.record(z.string(), z.array(z.string())).describe('Role to its permissions.'),
  })
  .describe('All permissions, and the permissions of each role.');

export const workspaceListSchema = listOf('WorkspaceList', workspaceSchema);
export const membershipListSchema = listOf('MembershipList', membershipSchema);

/** A page of `item`s of the Workspace API. */
export function listOf<Kind extends string, Item extends z.ZodType>(kind: Kind, item: Item) {
  return z
    .object({ kind: z.literal(kind), version, items: z.array(item), metadata: listMetaSchema })
    .describe('A page of a list.');
}
