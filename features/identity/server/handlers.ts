import type { Handlers } from '../../../apiserver/http/pipeline/handler.ts';
import type { IdentityDeps } from './deps.ts';
import { createDeviceHandlers } from './device/handlers.ts';
import { createIdentityHandlers } from './identities/handlers.ts';
import { createPasskey, getPasskeyCreationOptions } from './passkeys/enrol.ts';
import { deletePasskey, listPasskeys, replacePasskey } from './passkeys/passkeys.ts';
import { getPasskeySignInOptions, signInWithPasskey } from './passkeys/signIn.ts';
import { deletePassword, getPassword, replacePassword } from './passwords/passwords.ts';
import { signInWithPassword } from './passwords/signIn.ts';
import { createSession, deleteSession, listSessions } from './sessions/sessions.ts';
import { createSignInLink, signInWithLink } from './signIn/links.ts';
import { getSignInOptions } from './signIn/options.ts';

/** All ways to sign in, and what users sign in with. */
export function createHandlers(deps: IdentityDeps) {
  return {
    ...createIdentityHandlers(deps),
    ...createDeviceHandlers(deps),
    createSession: createSession(deps),
    listSessions: listSessions(deps),
    deleteSession: deleteSession(deps),
    getPasskeySignInOptions: getPasskeySignInOptions(deps),
    signInWithPasskey: signInWithPasskey(deps),
    getPasskeyCreationOptions: getPasskeyCreationOptions(deps),
    listPasskeys: listPasskeys(deps),
    createPasskey: createPasskey(deps),
    replacePasskey: replacePasskey(deps),
    deletePasskey: deletePasskey(deps),
    getPassword: getPassword(deps),
    replacePassword: replacePassword(deps),
    deletePassword: deletePassword(deps),
    signInWithPassword: signInWithPassword(deps),
    getSignInOptions: getSignInOptions(deps),
    createSignInLink: createSignInLink(deps),
    signInWithLink: signInWithLink(deps),
  } satisfies Handlers;
}
