import type { Handlers } from '../http/pipeline/handler.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './apiKeys/apiKeys.ts';
import type { WorkspaceDeps } from './deps.ts';
import { createDeviceHandlers } from './device/handlers.ts';
import { createIdentityHandlers } from './identities/handlers.ts';
import { acceptInvitation } from './invitations/acceptInvitation.ts';
import { createInvitation, deleteInvitation, listInvitations } from './invitations/invitations.ts';
import { lookUpInvitation } from './invitations/lookUp.ts';
import { resendInvitation } from './invitations/resend.ts';
import { getMe, listPermissions } from './me.ts';
import { deleteMembership, listMemberships, replaceMembership } from './memberships.ts';
import { createPasskey, getPasskeyCreationOptions } from './passkeys/enrol.ts';
import { deletePasskey, listPasskeys, replacePasskey } from './passkeys/passkeys.ts';
import { getPasskeySignInOptions, signInWithPasskey } from './passkeys/signIn.ts';
import { deletePassword, getPassword, replacePassword } from './passwords/passwords.ts';
import { signInWithPassword } from './passwords/signIn.ts';
import { deleteWorkspace } from './removeWorkspace.ts';
import { createSession, deleteSession, listSessions } from './sessions/sessions.ts';
import { createSignInLink, signInWithLink } from './signIn/links.ts';
import { getSignInOptions } from './signIn/options.ts';
import { createWorkspace, getWorkspace, listWorkspaces, replaceWorkspace } from './workspaces.ts';

/** The handlers of the Workspace API. They run after the caller's membership in the workspace has been checked. */
export function createWorkspaceHandlers(deps: WorkspaceDeps) {
  return {
    getMe: getMe(deps),
    listPermissions: listPermissions(),
    listWorkspaces: listWorkspaces(deps),
    createWorkspace: createWorkspace(deps),
    getWorkspace: getWorkspace(deps),
    replaceWorkspace: replaceWorkspace(deps),
    deleteWorkspace: deleteWorkspace(deps),
    listMemberships: listMemberships(deps),
    replaceMembership: replaceMembership(deps),
    deleteMembership: deleteMembership(deps),
    listInvitations: listInvitations(deps),
    createInvitation: createInvitation(deps),
    deleteInvitation: deleteInvitation(deps),
    resendInvitation: resendInvitation(deps),
    lookUpInvitation: lookUpInvitation(deps),
    acceptInvitation: acceptInvitation(deps),
    ...createIdentityHandlers(deps),
    ...createDeviceHandlers(deps),
    listApiKeys: listApiKeys(deps),
    createApiKey: createApiKey(deps),
    deleteApiKey: deleteApiKey(deps),
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
