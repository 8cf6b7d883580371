import { formatToken, hashOfSecret, newSecret } from '../../../core/accounts/credentials.ts';
import { isId, membershipName, newId } from '../../../core/accounts/ids.ts';
import { apiVersion, labels } from '../../../core/api/names.ts';
import type { InvitationResource } from '../../../core/api/resources/accountResources.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import { invitationType } from '../../../core/api/resources/resources.ts';
import type { InvitationInput } from '../../../core/api/rest/access.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { createOnce } from '../../store/createOnce.ts';
import { notFound } from '../../store/find.ts';
import { updateLive } from '../../store/updateLive.ts';
import type { WorkspaceApiDeps, WorkspaceDeps } from '../deps.ts';
import { checkGrant } from '../grants.ts';
import { accountPage, listLive } from '../list.ts';
import { invitationState, toInvitation } from '../mapping.ts';
import { checkQuota, keepWithinQuota } from '../quota.ts';
import { invitationQuota } from './budget.ts';
import { leave, memberAs } from './join.ts';

const lifetimeMs = 7 * 24 * 3600 * 1000;

/** The invitations of a workspace in any state, by id. */
export function listInvitations(deps: WorkspaceDeps): Handler<'listInvitations'> {
  return async ({ principal, params, query }) => {
    const invitations = await listLive(deps, invitationType, { 'spec.workspace': params.id });
    const nowMs = deps.clock.nowMs();
    return accountPage(deps, {
      kind: 'InvitationList',
      endpoint: 'listInvitations',
      principal,
      query,
      items: invitations,
      keyOf: ({ metadata }) => metadata.name,
      toRest: (invitation) => toInvitation(invitation, nowMs),
    });
  };
}

/** Creates an invitation. Only this answer contains the token; the caller must deliver it to the invitee. */
export function createInvitation(deps: WorkspaceApiDeps): Handler<'createInvitation'> {
  return async ({ principal, params, body, random, idempotencyMark: mark }) => {
    const workspace = await deps.directory.workspaces.find(params.id);
    if (!workspace) throw notFound('Workspace');
    const id = newId('invitation', random);
    const secret = newSecret('invitation', random);
    const expiresAt = expiryOf(deps, body);
    checkGrant(principal, { role: body.role, act: `invite somebody as ${body.role}` });
    const quota = invitationQuota(deps, params.id);
    await checkQuota(deps, quota, id);
    const object: InvitationResource = {
      apiVersion,
      kind: 'Invitation',
      metadata: {
        name: id,
        namespace: deps.namespace,
        labels: { [labels.workspace]: params.id },
        ownerReferences: [ownerReferenceTo(workspace)],
      },
      spec: {
        workspace: params.id,
        email: body.email,
        role: body.role,
        invitedBy: principal.userId,
        expiresAt,
        ...(deps.hasMail ? { isMailed: true } : {}),
        tokenHash: hashOfSecret(deps.pepper, 'invitation', secret).toString('hex'),
      },
    };
    const created = await createOnce(deps.kube, { type: invitationType, object, mark });
    await keepWithinQuota(deps, quota, created);
    return {
      body: { ...toInvitation(created, deps.clock.nowMs()), token: formatToken(id, secret) },
      location: `/v1alpha1/workspaces/${params.id}/invitations/${id}`,
      objects: [`invitation ${id} to workspace ${params.id} as ${body.role}`],
    };
  };
}

/** Revokes an invitation. To undo an accepted one, remove the member. */
export function deleteInvitation(deps: WorkspaceDeps): Handler<'deleteInvitation'> {
  return async ({ params }) => {
    const { id, invitationId } = params;
    const absent = () => notFound('Invitation');
    if (!isId('invitation', invitationId)) throw absent();
    const revoked = await updateLive(
      deps.kube,
      { type: invitationType, namespace: deps.namespace, name: invitationId, subresource: 'status', absent },
      async (current) => {
        if (current.spec.workspace !== id) throw absent();
        const state = invitationState(current, deps.clock.nowMs());
        if (state === 'Accepted' && !(await isAbandoned(deps, current)))
          throw new AppError(
            'Conflict',
            'the invitation has already been accepted: remove the member instead',
          );
        if (state === 'Revoked') return current;
        return { ...current, status: { ...current.status, state: 'Revoked' as const } };
      },
    );
    await undoJoining(deps, revoked);
    return { body: undefined, objects: [`invitation ${invitationId} to workspace ${id}`] };
  };
}

/** Whoever became a member at the same moment leaves again, also if what accepted the invitation has crashed. */
async function undoJoining(deps: WorkspaceDeps, invitation: Stored<InvitationResource>): Promise<void> {
  const { acceptedBy, ...status } = invitation.status ?? {};
  const workspace = await deps.directory.workspaces.find(invitation.spec.workspace);
  const standing = workspace && acceptedBy && (await memberAs(deps, workspace, acceptedBy));
  if (standing) await leave(deps, standing, { invitation, status });
}

/** Whether a user has used its token, but has not become a member. */
async function isAbandoned({ directory }: WorkspaceDeps, { spec, status }: InvitationResource) {
  if (status?.state !== 'Accepting') return false;
  return !(await directory.memberships.find(membershipName(spec.workspace, status.acceptedBy ?? '')));
}

function expiryOf({ clock }: WorkspaceDeps, { expiresAt }: InvitationInput): string {
  const nowMs = clock.nowMs();
  if (expiresAt === undefined) return toRfc3339(nowMs + lifetimeMs);
  if ((parseRfc3339(expiresAt) ?? 0) > nowMs) return expiresAt;
  const message = 'is in the past: use a time in the future';
  throw new AppError('BadRequest', `expiresAt ${message}`, { details: [{ path: 'expiresAt', message }] });
}
