import { secretInputSchema, secretListSchema, secretSchema } from '../resources/secret.ts';
import { selectableLabels } from '../userLabels.ts';
import { idParams, listQuerySchema, type Operation } from './operation.ts';

export const secretOperations = {
  listSecrets: {
    method: 'GET',
    path: '/v1alpha/secrets',
    api: 'secret',
    summary: 'List secrets',
    description:
      'Lists the secrets of the caller, one page at a time, with their data for callers with the permission secrets:write.',
    query: listQuerySchema,
    listQuery: true,
    selectable: ['type', 'metadata.ownerID', 'metadata.name', selectableLabels],
    success: { status: 200, schema: secretListSchema, description: 'A page of secrets.' },
    errors: [404],
    permission: 'secrets:read',
  },
  getSecret: {
    method: 'GET',
    path: '/v1alpha/secrets/{id}',
    api: 'secret',
    summary: 'Get a secret',
    description:
      'Only the owner sees its data, with the permission secrets:write; each such read is audited.',
    params: idParams,
    success: { status: 200, schema: secretSchema, description: 'The secret.' },
    errors: [404],
    permission: 'secrets:read',
  },
  createSecret: {
    method: 'POST',
    path: '/v1alpha/secrets',
    api: 'secret',
    summary: 'Create a secret',
    description:
      'data is the base64 encoding of the raw bytes: decode hexadecimal keys to bytes first. type may be any text. The header Warning says when a secret of type private-key or mnemonic, which networks refer to, holds none. Use test-only credentials.',
    canDryRun: true,
    body: secretInputSchema,
    success: { status: 201, schema: secretSchema, description: 'The secret.' },
    errors: [400, 409],
    permission: 'secrets:write',
  },
  deleteSecret: {
    method: 'DELETE',
    path: '/v1alpha/secrets/{id}',
    api: 'secret',
    summary: 'Delete a secret',
    description: 'Refused while a network refers to the secret.',
    params: idParams,
    success: {
      status: 200,
      schema: secretSchema,
      description: 'The secret before its deletion, without its data.',
    },
    errors: [404, 409],
    permission: 'secrets:write',
  },
} as const satisfies Record<string, Operation>;
