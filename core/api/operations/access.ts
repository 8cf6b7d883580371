import {
  acceptInvitationSchema,
  apiKeyInputSchema,
  apiKeyListSchema,
  invitationInputSchema,
  invitationListSchema,
  newApiKeySchema,
  newInvitationSchema,
} from '../access.ts';
import { idParams, listQuerySchema, type Operation } from '../operation.ts';
import { idSchema } from '../values.ts';
import { membershipSchema } from '../workspace.ts';

const pageQuery = listQuerySchema.omit({ selector: true });
const workspace = '/v1alpha1/workspaces/{id}';

export const accessOperations = {
  listInvitations: {
    method: 'GET',
    path: `${workspace}/invitations`,
    api: 'workspace',
    summary: 'List invitations',
    params: idParams,
    query: pageQuery,
    success: { status: 200, schema: invitationListSchema, description: 'A page of invitations.' },
    errors: [404, 501],
    permission: 'invitations:read',
  },
  createInvitation: {
    method: 'POST',
    path: `${workspace}/invitations`,
    api: 'workspace',
    summary: 'Invite someone',
    description: 'The answer alone carries the token to accept with.',
    params: idParams,
    body: invitationInputSchema,
    success: { status: 201, schema: newInvitationSchema, description: 'The invitation.' },
    errors: [400, 404, 409, 501],
    permission: 'invitations:write',
  },
  deleteInvitation: {
    method: 'DELETE',
    path: `${workspace}/invitations/{invitationId}`,
    api: 'workspace',
    summary: 'Revoke an invitation',
    params: idParams.extend({ invitationId: idSchema.describe('Id of the invitation.') }),
    success: { status: 204, description: 'Revoked.' },
    errors: [404, 409, 501],
    permission: 'invitations:write',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/v1alpha1/invitations/accept',
    api: 'workspace',
    summary: 'Accept an invitation',
    body: acceptInvitationSchema,
    success: { status: 200, schema: membershipSchema, description: 'The new membership.' },
    errors: [400, 404, 409, 501],
    permission: 'account:write',
  },
  listApiKeys: {
    method: 'GET',
    path: `${workspace}/api-keys`,
    api: 'workspace',
    summary: 'List API keys',
    params: idParams,
    query: pageQuery,
    success: { status: 200, schema: apiKeyListSchema, description: 'A page of API keys.' },
    errors: [404, 501],
    permission: 'api-keys:read',
  },
  createApiKey: {
    method: 'POST',
    path: `${workspace}/api-keys`,
    api: 'workspace',
    summary: 'Create an API key',
    description: 'The answer alone carries the secret.',
    params: idParams,
    body: apiKeyInputSchema,
    success: { status: 201, schema: newApiKeySchema, description: 'The API key.' },
    errors: [400, 404, 501],
    permission: 'api-keys:write',
  },
  deleteApiKey: {
    method: 'DELETE',
    path: `${workspace}/api-keys/{keyId}`,
    api: 'workspace',
    summary: 'Revoke an API key',
    params: idParams.extend({ keyId: idSchema.describe('Id of the API key.') }),
    success: { status: 204, description: 'Revoked.' },
    errors: [404, 501],
    permission: 'api-keys:write',
  },
} as const satisfies Record<string, Operation>;
