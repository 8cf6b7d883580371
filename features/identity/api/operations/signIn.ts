import { publicAccess } from '../../../../core/api/access/permissions.ts';
import type { Operation } from '../../../../core/api/operations/operation.ts';
import { linkTokenSchema, signInLinkSchema, signInOptionsSchema } from '../rest/signIn.ts';
import { opensSession } from './opensSession.ts';

const signIn = '/v1alpha1/sign-in';

/** The ways in besides an API key. */
export const signInOperations = {
  getSignInOptions: {
    method: 'GET',
    path: signIn,
    api: 'workspace',
    summary: 'Get the ways to sign in',
    success: { status: 200, schema: signInOptionsSchema, description: 'The ways to sign in.' },
    errors: [],
    permission: publicAccess,
  },
  createSignInLink: {
    method: 'POST',
    path: '/v1alpha1/sign-in-links',
    api: 'workspace',
    summary: 'Create a sign-in link',
    description:
      'A link that signs the caller in with a browser: once, within 15 minutes. Needs an API key with all permissions of its user, such as the first key of the installation or of an account. Revoking the key invalidates the link, but does not end a session that was opened with it.',
    success: { status: 201, schema: signInLinkSchema, description: 'The link, which is shown only here.' },
    errors: [403],
    permission: 'account:read',
  },
  signInWithLink: {
    method: 'POST',
    path: `${signIn}/link`,
    api: 'workspace',
    summary: 'Sign in with a link',
    description: 'Sent by the page of a sign-in link. A link works once.',
    body: linkTokenSchema,
    ...opensSession,
  },
} as const satisfies Record<string, Operation>;
