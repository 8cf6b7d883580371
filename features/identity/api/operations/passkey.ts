import { z } from 'zod';
import { publicAccess } from '../../../../core/api/access/permissions.ts';
import { listQuerySchema, type Operation } from '../../../../core/api/operations/operation.ts';
import { idSchema } from '../../../../core/api/values.ts';
import * as passkey from '../rest/passkey.ts';
import { opensSession } from './opensSession.ts';

const passkeys = '/v1alpha1/passkeys';
const params = z.object({ passkeyId: idSchema.describe('Id of the passkey.') });

/** Passkeys of the caller, and signing in with one. */
export const passkeyOperations = {
  getPasskeySignInOptions: {
    method: 'GET',
    path: '/v1alpha1/sign-in/passkey',
    api: 'workspace',
    summary: 'Get the options for navigator.credentials.get',
    success: {
      status: 200,
      schema: passkey.passkeyRequestOptionsSchema,
      description: 'The options, with a new challenge.',
    },
    errors: [403],
    permission: publicAccess,
  },
  signInWithPasskey: {
    method: 'POST',
    path: '/v1alpha1/sign-in/passkey',
    api: 'workspace',
    summary: 'Sign in with a passkey',
    description: 'The passkey identifies the user. The authenticator must have verified the user.',
    body: passkey.passkeyAnswerSchema,
    ...opensSession,
  },
  getPasskeyCreationOptions: {
    method: 'GET',
    path: `${passkeys}/options`,
    api: 'workspace',
    summary: 'Get the options for navigator.credentials.create',
    success: {
      status: 200,
      schema: passkey.passkeyCreationOptionsSchema,
      description: 'The options, with a new challenge.',
    },
    errors: [403],
    permission: 'account:read',
  },
  listPasskeys: {
    method: 'GET',
    path: passkeys,
    api: 'workspace',
    summary: "List the caller's passkeys",
    query: listQuerySchema.omit({ selector: true }),
    success: { status: 200, schema: passkey.passkeyListSchema, description: 'A page of passkeys.' },
    errors: [],
    permission: 'account:read',
  },
  createPasskey: {
    method: 'POST',
    path: passkeys,
    api: 'workspace',
    summary: 'Enrol a passkey',
    description:
      'Needs a session, or an API key with all permissions of its user, because a passkey grants all of them. The answer of a browser counts once. A user has at most 10.',
    body: passkey.passkeyInputSchema,
    success: { status: 201, schema: passkey.passkeySchema, description: 'The passkey.' },
    errors: [400, 403, 409],
    permission: 'account:read',
  },
  replacePasskey: {
    method: 'PUT',
    path: `${passkeys}/{passkeyId}`,
    api: 'workspace',
    summary: 'Rename a passkey',
    params,
    body: passkey.passkeyNameSchema,
    success: { status: 200, schema: passkey.passkeySchema, description: 'The passkey.' },
    errors: [400, 404],
    permission: 'account:read',
  },
  deletePasskey: {
    method: 'DELETE',
    path: `${passkeys}/{passkeyId}`,
    api: 'workspace',
    summary: 'Remove a passkey',
    description: "Nobody can sign in with it any more. This also ends the caller's other sessions.",
    params,
    success: { status: 204, description: 'Removed.' },
    errors: [403, 404],
    permission: 'account:read',
  },
} as const satisfies Record<string, Operation>;
