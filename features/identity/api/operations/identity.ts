import { z } from 'zod';
import { publicAccess } from '../../../../core/api/access/permissions.ts';
import { listQuerySchema, type Operation } from '../../../../core/api/operations/operation.ts';
import { idSchema } from '../../../../core/api/values.ts';
import {
  identityInputSchema,
  identityListSchema,
  identitySchema,
  oidcAttemptInputSchema,
  oidcAttemptSchema,
  oidcCallbackSchema,
  oidcSessionSchema,
  walletChallengeSchema,
  walletInputSchema,
  walletProofSchema,
} from '../rest/identity.ts';
import { opensSession } from './opensSession.ts';

const identities = '/v1alpha1/identities';
const providerParams = z.object({ provider: idSchema.describe('Name of the OpenID provider.') });
const attempt = { status: 201, schema: oidcAttemptSchema, description: 'Where the browser goes.' } as const;
const challenge = {
  status: 201,
  schema: walletChallengeSchema,
  description: 'What the wallet signs.',
} as const;
const asUser = 'Needs credentials with all permissions of the user: a session, or an unrestricted key.';

/** Signing in with what proves an identity elsewhere, and linking that to an account. */
export const identityOperations = {
  createOidcAttempt: {
    method: 'POST',
    path: '/v1alpha1/sign-in/oidc/{provider}',
    api: 'workspace',
    summary: 'Begin a sign-in at an OpenID provider',
    description:
      "Returns the URL to open, and sets a cookie that belongs to this attempt and lasts ten minutes. The provider sends the browser back to the console's page /sign-in/callback.",
    params: providerParams,
    body: oidcAttemptInputSchema,
    success: attempt,
    errors: [400, 403, 404, 503],
    permission: publicAccess,
    isSignIn: true,
  },
  createOidcSession: {
    method: 'POST',
    path: '/v1alpha1/sign-in/oidc',
    api: 'workspace',
    summary: 'Sign in with the answer of an OpenID provider',
    description:
      "Signs in the user that the account at the provider is linked to. An account that is not linked yet is linked to the user with the same e-mail address if the provider has verified it, the user has proven it and has not unlinked the account, and the installation trusts the provider's addresses. Otherwise the provider's setting signUp decides who gets an account without an invitation. An answer counts once.",
    body: oidcCallbackSchema,
    ...opensSession,
    success: { ...opensSession.success, schema: oidcSessionSchema },
    errors: [...opensSession.errors, 503],
  },
  createWalletChallenge: {
    method: 'POST',
    path: '/v1alpha1/sign-in/wallet/challenge',
    api: 'workspace',
    summary: 'Begin a sign-in with a wallet',
    body: walletInputSchema,
    success: challenge,
    errors: [400, 403],
    permission: publicAccess,
    isSignIn: true,
  },
  createWalletSession: {
    method: 'POST',
    path: '/v1alpha1/sign-in/wallet',
    api: 'workspace',
    summary: 'Sign in with a wallet',
    description:
      'Signs in the user that the wallet is linked to. An account cannot be created with a wallet alone.',
    body: walletProofSchema,
    ...opensSession,
  },
  listIdentities: {
    method: 'GET',
    path: identities,
    api: 'workspace',
    summary: 'List what the caller signs in with elsewhere',
    query: listQuerySchema.omit({ selector: true }),
    success: { status: 200, schema: identityListSchema, description: 'A page of identities.' },
    errors: [],
    permission: 'account:read',
  },
  createIdentity: {
    method: 'POST',
    path: identities,
    api: 'workspace',
    summary: 'Link an account at an OpenID provider, or a wallet',
    description: `Takes the provider's answer or the signed challenge of an attempt that the caller began. ${asUser}`,
    body: identityInputSchema,
    success: { status: 201, schema: identitySchema, description: 'What was linked.' },
    errors: [400, 401, 403, 409, 503],
    permission: 'account:read',
  },
  createIdentityAttempt: {
    method: 'POST',
    path: `${identities}/oidc/{provider}`,
    api: 'workspace',
    summary: 'Begin to link an account at an OpenID provider',
    description: asUser,
    params: providerParams,
    success: attempt,
    errors: [403, 404, 503],
    permission: 'account:read',
  },
  createIdentityChallenge: {
    method: 'POST',
    path: `${identities}/wallet`,
    api: 'workspace',
    summary: 'Begin to link a wallet',
    description: asUser,
    body: walletInputSchema,
    success: challenge,
    errors: [400, 403],
    permission: 'account:read',
  },
  deleteIdentity: {
    method: 'DELETE',
    path: `${identities}/{identityId}`,
    api: 'workspace',
    summary: 'Unlink an account at an OpenID provider, or a wallet',
    description: `Nobody can sign in with it any more. This also ends the caller's other sessions. ${asUser}`,
    params: z.object({ identityId: idSchema.describe('Id of the identity.') }),
    success: { status: 204, description: 'Unlinked.' },
    errors: [403, 404],
    permission: 'account:read',
  },
} as const satisfies Record<string, Operation>;
