import { newId } from '../../core/accounts/ids.ts';
import { newMembership, newWorkspace } from '../../core/accounts/objects.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { membershipType, workspaceType } from '../../core/api/resources/resources.ts';
import type { Workspace } from '../../core/api/rest/workspace.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { stableJson } from '../../core/lib/hash.ts';
import type { Handler, Reply } from '../http/pipeline/handler.ts';
import { etagOf, revisionsOf } from '../http/pipeline/ifMatch.ts';
import { checkRevision } from '../http/pipeline/replacement.ts';
import { createIfAbsent, createOnce } from '../store/createOnce.ts';
import { notFound } from '../store/find.ts';
import { updateLive } from '../store/updateLive.ts';
import type { WorkspaceDeps } from './deps.ts';
import { accountPage, listLive } from './list.ts';
import { toWorkspace } from './mapping.ts';
import { atMost, checkQuota, keepWithinQuota, type Quota } from './quota.ts';

/** The workspaces that the caller is a member of, by id. */
export function listWorkspaces(deps: WorkspaceDeps): Handler<'listWorkspaces'> {
  return async ({ principal, query }) => {
    const memberships = await listLive(deps, membershipType, { 'spec.user': principal.userId });
    const found = await Promise.all(
      memberships.map(({ spec }) => deps.directory.workspaces.find(spec.workspace)),
    );
    const workspaces = found.filter((workspace) => workspace !== undefined);
    return accountPage(deps, {
      kind: 'WorkspaceList',
      endpoint: 'listWorkspaces',
      principal,
      query,
      items: workspaces,
      keyOf: ({ metadata }) => metadata.name,
      toRest: toWorkspace,
    });
  };
}

/** Creates a workspace owned by the caller. The operator creates its namespace shortly afterwards. */
export function createWorkspace(deps: WorkspaceDeps): Handler<'createWorkspace'> {
  const { kube, namespace } = deps;
  return async ({ principal, body, random, idempotencyMark: mark }) => {
    const id = newId('workspace', random);
    const { userId } = principal;
    const quota = quotaOf(deps, userId);
    await checkQuota(deps, quota, id);
    const wanted = newWorkspace({ namespace, id, ...body, owners: [userId], createdBy: userId });
    const created = await createOnce(kube, { type: workspaceType, object: wanted, mark });
    await keepWithinQuota(deps, quota, created);
    const membership = newMembership(created, userId, 'owner');
    await createIfAbsent(kube, membershipType, membership);
    return { ...answer(created), location: `/v1alpha1/workspaces/${id}` };
  };
}

/**
 * Limits the workspaces of a user, because namespaces are expensive. Those that the user created count, whoever owns them
 * now: otherwise two accounts could hand any number to each other.
 */
function quotaOf(deps: WorkspaceDeps, userId: string): Quota<WorkspaceResource> {
  const max = deps.quota.workspaces;
  return {
    type: workspaceType,
    selection: { 'spec.createdBy': userId },
    refuse: atMost(
      max,
      (count) =>
        new AppError(
          'BadRequest',
          `you created ${count} workspaces that exist, the maximum is ${max} (quota.workspaces): delete one first`,
        ),
    ),
  };
}

/** One workspace. */
export function getWorkspace({ directory }: WorkspaceDeps): Handler<'getWorkspace'> {
  return async ({ params }) => {
    const workspace = await directory.workspaces.find(params.id);
    if (!workspace) throw notFound('Workspace');
    return answer(workspace);
  };
}

/** Replaces name and description; with If-Match only if the workspace is unchanged. */
export function replaceWorkspace({ kube, namespace }: WorkspaceDeps): Handler<'replaceWorkspace'> {
  return async ({ params, body, ifMatch }) => {
    const allowedRevs = revisionsOf(ifMatch);
    const target = { type: workspaceType, namespace, name: params.id, absent: () => notFound('Workspace') };
    const replaced = await updateLive(kube, target, (current) => {
      const { description: _, ...kept } = current.spec;
      const { name, description } = body;
      const spec = { ...kept, name, ...compact({ description }) };
      const isApplied = stableJson(spec) === stableJson(current.spec);
      checkRevision('workspace', current, { body: {}, allowedRevs, isApplied });
      return isApplied ? current : { ...current, spec };
    });
    return answer(replaced);
  };
}

function answer(workspace: Stored<WorkspaceResource>): Reply<Workspace> {
  return {
    body: toWorkspace(workspace),
    etag: etagOf(workspace.metadata.generation ?? 0),
    objects: [describeWorkspace(workspace.metadata.name)],
  };
}

/** The object for the audit line. */
export function describeWorkspace(id: string): string {
  return `workspace ${id}`;
}
