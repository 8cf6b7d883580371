import { publicAccess } from '../access/permissions.ts';
import {
  acceptedInvitationSchema,
  acceptInvitationSchema,
  apiKeyInputSchema,
  apiKeyListSchema,
  invitationInputSchema,
  invitationListSchema,
  invitationSchema,
  newApiKeySchema,
  newInvitationSchema,
} from '../rest/access.ts';
import { invitationOfferSchema, invitationTokenSchema } from '../rest/identity.ts';
import { idSchema } from '../values.ts';
import { idParams, listQuerySchema, type Operation } from './operation.ts';

const pageQuery = listQuerySchema.omit({ selector: true });
const workspace = '/v1alpha1/workspaces/{id}';

export const accessOperations = {
  listInvitations: {
    method: 'GET',
    path: `${workspace}/invitations`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'List invitations',
    params: idParams,
    query: pageQuery,
    success: { status: 200, schema: invitationListSchema, description: 'A page of invitations.' },
    errors: [404],
    permission: 'invitations:read',
  },
  createInvitation: {
    method: 'POST',
    path: `${workspace}/invitations`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Invite someone',
    description:
      'Only this response contains the token that accepts the invitation. If the installation has a mail server, another token is mailed to the address: accepting with that one proves the address.',
    params: idParams,
    body: invitationInputSchema,
    success: { status: 201, schema: newInvitationSchema, description: 'The invitation.' },
    errors: [400, 404, 409],
    permission: 'invitations:write',
  },
  deleteInvitation: {
    method: 'DELETE',
    path: `${workspace}/invitations/{invitationId}`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Revoke an invitation',
    params: idParams.extend({ invitationId: idSchema.describe('Id of the invitation.') }),
    success: { status: 204, description: 'Revoked.' },
    errors: [404, 409],
    permission: 'invitations:write',
  },
  resendInvitation: {
    method: 'POST',
    path: `${workspace}/invitations/{invitationId}/resend`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Mail an invitation again',
    description:
      'Sends the same link, at most five times and once a minute. 409 if the installation has no mail server, or the invitation is not pending.',
    params: idParams.extend({ invitationId: idSchema.describe('Id of the invitation.') }),
    success: { status: 200, schema: invitationSchema, description: 'The invitation, whose mail is pending.' },
    errors: [404, 409],
    permission: 'invitations:write',
  },
  lookUpInvitation: {
    method: 'POST',
    path: '/v1alpha1/invitations/look-up',
    api: 'workspace',
    summary: 'See what an invitation offers',
    description:
      'Whoever has the token of a pending invitation sees the workspace, the role and the inviter.',
    body: invitationTokenSchema,
    success: { status: 200, schema: invitationOfferSchema, description: 'The offer.' },
    errors: [400, 404, 409],
    permission: publicAccess,
    isRead: true,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/v1alpha1/invitations/accept',
    api: 'workspace',
    summary: 'Accept an invitation',
    description:
      'With credentials, the caller becomes a member, regardless of the e-mail address of the invitation. Without credentials, an account is created for this invitation; only this response contains its first API key. With `signIn`, the response opens a browser session instead of creating a key. An invitation is accepted once: of several requests with its token, one succeeds and the others are 409. The address of the account is unverified unless the token was mailed to it: a token that the inviter passed on does not prove who owns the address.',
    body: acceptInvitationSchema,
    success: { status: 200, schema: acceptedInvitationSchema, description: 'The new membership.' },
    errors: [400, 404, 409],
    permission: publicAccess,
    callerPermission: 'account:write',
    isSignIn: true,
  },
  listApiKeys: {
    method: 'GET',
    path: `${workspace}/api-keys`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'List API keys',
    description: "The caller's own API keys; owners and admins see those of all members.",
    params: idParams,
    query: pageQuery,
    success: { status: 200, schema: apiKeyListSchema, description: 'A page of API keys.' },
    errors: [404],
    permission: 'api-keys:read',
  },
  createApiKey: {
    method: 'POST',
    path: `${workspace}/api-keys`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Create an API key',
    description:
      'Creates a key of the caller, with at most the permissions of the key that creates it. Only this response contains its secret.',
    params: idParams,
    body: apiKeyInputSchema,
    success: { status: 201, schema: newApiKeySchema, description: 'The API key.' },
    errors: [400, 404],
    permission: 'api-keys:write',
  },
  deleteApiKey: {
    method: 'DELETE',
    path: `${workspace}/api-keys/{keyId}`,
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Revoke an API key',
    description:
      "Callers may revoke their own keys. Owners may revoke all keys of the workspace, admins all but those of owners. The installation's first key can be revoked once an owner of the default workspace has a passkey or a password that signs in, or another owner has a key with all permissions; until then, the answer is 409.",
    params: idParams.extend({ keyId: idSchema.describe('Id of the API key.') }),
    success: { status: 204, description: 'Revoked.' },
    errors: [404, 409],
    permission: 'api-keys:write',
  },
} as const satisfies Record<string, Operation>;
