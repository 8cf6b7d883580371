import type { Handlers } from '../../../../apiserver/http/pipeline/handler.ts';
import type { IdentityDeps } from '../deps.ts';
import { createIdentity, deleteIdentity, listIdentities } from './identities.ts';
import { createIdentityAttempt, createOidcAttempt, createOidcSession } from './oidc.ts';
import { createIdentityChallenge, createWalletChallenge, createWalletSession } from './wallet.ts';

/** The handlers of signing in with what proves an identity elsewhere. */
export function createIdentityHandlers(deps: IdentityDeps) {
  return {
    createOidcAttempt: createOidcAttempt(deps),
    createOidcSession: createOidcSession(deps),
    createWalletChallenge: createWalletChallenge(deps),
    createWalletSession: createWalletSession(deps),
    listIdentities: listIdentities(deps),
    createIdentity: createIdentity(deps),
    createIdentityAttempt: createIdentityAttempt(deps),
    createIdentityChallenge: createIdentityChallenge(deps),
    deleteIdentity: deleteIdentity(deps),
  } satisfies Handlers;
}
