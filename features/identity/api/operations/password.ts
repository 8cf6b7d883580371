import type { Operation } from '../../../../core/api/operations/operation.ts';
import { passwordInputSchema, passwordSchema, passwordSignInSchema } from '../rest/password.ts';
import { opensSession } from './opensSession.ts';

const path = '/v1alpha1/password';

/** The password of the caller, and signing in with it. */
export const passwordOperations = {
  getPassword: {
    method: 'GET',
    path,
    api: 'workspace',
    summary: 'Find out whether the caller has a password',
    success: { status: 200, schema: passwordSchema, description: 'Whether it is set, and since when.' },
    errors: [],
    permission: 'account:read',
  },
  replacePassword: {
    method: 'PUT',
    path,
    api: 'workspace',
    summary: "Set the caller's password",
    description:
      "The password is for the address of the account, and for no other. An account without an address states one. Needs a session, or an API key with all permissions of its user, because a password grants all of them. It also ends the caller's other sessions.",
    body: passwordInputSchema,
    success: { status: 200, schema: passwordSchema, description: 'The password, without its text.' },
    errors: [400, 403, 409],
    permission: 'account:read',
  },
  deletePassword: {
    method: 'DELETE',
    path,
    api: 'workspace',
    summary: "Remove the caller's password",
    description: "Nobody can sign in with it any more. This also ends the caller's other sessions.",
    success: { status: 204, description: 'Removed.' },
    errors: [403, 404],
    permission: 'account:read',
  },
  signInWithPassword: {
    method: 'POST',
    path: '/v1alpha1/sign-in/password',
    api: 'workspace',
    summary: 'Sign in with a password',
    description:
      'Signs in to an account with this address and password. If somebody has proven to own the address, the accounts that only state it do not count. The answer is the same whatever is wrong, and whether anybody has the address. After ten wrong passwords for an address, a source may try it once a minute. Wrong ones from many sources make those sources wait, and nobody else.',
    body: passwordSignInSchema,
    ...opensSession,
  },
} as const satisfies Record<string, Operation>;
