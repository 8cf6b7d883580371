import { publicAccess } from '../../../../core/api/access/permissions.ts';
import { idParams, type Operation } from '../../../../core/api/operations/operation.ts';
import { newApiKeySchema } from '../../../../core/api/rest/access.ts';
import {
  deviceApprovalInputSchema,
  deviceApprovalSchema,
  deviceCodeSchema,
  deviceRequestSchema,
  deviceSignInInputSchema,
  deviceSignInSchema,
  deviceSignInStateSchema,
  userCodeSchema,
} from '../rest/device.ts';

const device = '/v1alpha1/device-sign-ins';

/** Signing in on a machine without a browser, like the device flow of RFC 8628. */
export const deviceOperations = {
  createDeviceSignIn: {
    method: 'POST',
    path: device,
    api: 'workspace',
    summary: 'Ask for access from a machine',
    description:
      'Returns a code, which the user approves in the console within ten minutes, and a secret, with which the machine polls for the outcome. Requests are limited for each source address.',
    body: deviceSignInInputSchema,
    success: {
      status: 201,
      schema: deviceSignInSchema,
      description: 'The codes, which are shown only here.',
    },
    errors: [400, 403],
    permission: publicAccess,
  },
  pollDeviceSignIn: {
    method: 'POST',
    path: `${device}/poll`,
    api: 'workspace',
    summary: 'Ask whether the access is approved',
    description: 'A machine that asks before its interval is over gets 429 with Retry-After.',
    body: deviceCodeSchema,
    success: { status: 200, schema: deviceSignInStateSchema, description: 'The state of the request.' },
    errors: [400, 404],
    permission: publicAccess,
    isRead: true,
  },
  createDeviceApiKey: {
    method: 'POST',
    path: `${device}/api-key`,
    api: 'workspace',
    summary: 'Fetch the API key of a machine',
    description:
      'Creates the API key for the user who approved the request, with no more permissions than they have now. It works once. 409 until the request is approved.',
    body: deviceCodeSchema,
    success: { status: 201, schema: newApiKeySchema, description: 'The key with its secret.' },
    errors: [400, 403, 404, 409],
    permission: publicAccess,
  },
  lookUpDeviceSignIn: {
    method: 'POST',
    path: `${device}/look-up`,
    api: 'workspace',
    summary: 'See which machine asks for access',
    body: userCodeSchema,
    success: { status: 200, schema: deviceRequestSchema, description: 'The machine that shows this code.' },
    errors: [400, 404],
    permission: 'account:read',
    isRead: true,
  },
  denyDeviceSignIn: {
    method: 'POST',
    path: `${device}/deny`,
    api: 'workspace',
    summary: 'Deny a machine access',
    body: userCodeSchema,
    success: { status: 204, description: 'Denied.' },
    errors: [400, 404, 409],
    permission: 'account:read',
  },
  approveDeviceSignIn: {
    method: 'POST',
    path: '/v1alpha1/workspaces/{id}/device-sign-ins',
    api: 'workspace',
    workspaceParam: 'id',
    summary: 'Give a machine access',
    description:
      'The machine gets an API key of the caller in this workspace, with no more permissions than the caller has there.',
    params: idParams,
    body: deviceApprovalInputSchema,
    success: { status: 201, schema: deviceApprovalSchema, description: 'What the machine gets.' },
    errors: [400, 404, 409],
    permission: 'api-keys:write',
  },
} as const satisfies Record<string, Operation>;
