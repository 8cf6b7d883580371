import type { Handlers } from '../http/pipeline/handler.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './apiKeys/apiKeys.ts';
import type { WorkspaceApiDeps } from './deps.ts';
import { acceptInvitation } from './invitations/acceptInvitation.ts';
import { createInvitation, deleteInvitation, listInvitations } from './invitations/invitations.ts';
import { lookUpInvitation } from './invitations/lookUp.ts';
import { resendInvitation } from './invitations/resend.ts';
import { getMe, listPermissions } from './me.ts';
import { deleteMembership, listMemberships, replaceMembership } from './memberships.ts';
import { deleteWorkspace } from './removeWorkspace.ts';
import { createWorkspace, getWorkspace, listWorkspaces, replaceWorkspace } from './workspaces.ts';

/** The handlers of the Workspace API. They run after the caller's membership in the workspace has been checked. */
export function createWorkspaceHandlers(deps: WorkspaceApiDeps) {
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
    listApiKeys: listApiKeys(deps),
    createApiKey: createApiKey(deps),
    deleteApiKey: deleteApiKey(deps),
  } satisfies Handlers;
}
