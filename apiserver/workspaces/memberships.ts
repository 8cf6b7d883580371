import { membershipName } from '../../core/accounts/ids.ts';
import { roleIn } from '../../core/accounts/roles.ts';
import type { Role } from '../../core/api/access/permissions.ts';
import type { MembershipResource } from '../../core/api/resources/accountResources.ts';
import { membershipType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import { forCaller } from '../store/kubeErrors.ts';
import { updateLive } from '../store/updateLive.ts';
import { isFixedMember, type WorkspaceDeps } from './deps.ts';
import { type Standing, standingOf } from './directory/principals.ts';
import { checkGrant } from './grants.ts';
import { settleFor } from './invitations/claim.ts';
import { accountPage, listLive } from './list.ts';
import { toMembership } from './mapping.ts';
import { addOwner, removeOwner } from './owners.ts';

/** The members of a workspace, by user id. */
export function listMemberships(deps: WorkspaceDeps): Handler<'listMemberships'> {
  return async ({ principal, params, query }) => {
    const workspace = await deps.directory.workspaces.find(params.id);
    if (!workspace) throw notFound('Workspace');
    const memberships = await listLive(deps, membershipType, { 'spec.workspace': params.id });
    return accountPage(deps, {
      kind: 'MembershipList',
      endpoint: 'listMemberships',
      principal,
      query,
      items: memberships,
      keyOf: ({ metadata }) => metadata.name,
      toRest: (membership) =>
        toMembership({ workspace, membership }, deps.directory.users.cached(membership.spec.user)),
    });
  };
}

/** Changes the role of a member; the member's keys are affected immediately. */
export function replaceMembership(deps: WorkspaceDeps): Handler<'replaceMembership'> {
  const { directory } = deps;
  return async ({ principal, params, body: { role } }) => {
    const standing = await findMember(deps, params);
    checkMayChange(principal, standing);
    checkGrant(principal, { role, act: `give a member the role ${role}` });
    if (role !== 'owner') await giveUpOwnership(deps, standing);
    const { membership, undo } = await writeRole(deps, params, role);
    const workspace =
      role === 'owner'
        ? await addOwner(deps, params.id, { userId: params.userId, undo })
        : ((await directory.workspaces.find(params.id)) ?? standing.workspace);
    const user = await directory.users.find(params.userId);
    return {
      body: toMembership({ workspace, membership }, user),
      objects: [`${describeMember(params)} as ${role}`],
    };
  };
}

interface Written {
  membership: Stored<MembershipResource>;
  /** Gives the member the former role again. */
  undo(): Promise<void>;
}

async function writeRole(deps: WorkspaceDeps, member: MemberParams, role: Role): Promise<Written> {
  const { kube, namespace } = deps;
  const name = membershipName(member.id, member.userId);
  let former = role;
  const target = { type: membershipType, namespace, name, absent: notMember };
  const membership = await updateLive(kube, target, (current) => {
    former = current.spec.role;
    return former === role ? current : { ...current, spec: { ...current.spec, role } };
  });
  return {
    membership,
    async undo() {
      if (former !== role) await writeRole(deps, member, former);
    },
  };
}

/** Removes a member. The keys created under the membership become invalid. */
export function deleteMembership(deps: WorkspaceDeps): Handler<'deleteMembership'> {
  return async ({ principal, params }) => {
    const standing = await findMember(deps, params);
    checkMayChange(principal, standing);
    await settleFor(deps, standing.membership);
    if (!(await removeMember(deps, standing))) throw notMember();
    return { body: undefined, objects: [describeMember(params)] };
  };
}

/** Resolves to false if somebody else has removed the member meanwhile. */
export async function removeMember(deps: WorkspaceDeps, standing: Standing): Promise<boolean> {
  await giveUpOwnership(deps, standing);
  return dropMembership(deps, standing.membership);
}

/** Deletes the membership of somebody who owns nothing. Resolves to false if it was gone. */
export async function dropMembership(
  { kube }: WorkspaceDeps,
  membership: Stored<MembershipResource>,
): Promise<boolean> {
  const { metadata } = membership;
  return forCaller(kube.delete(membershipType, metadata, { uid: metadata.uid }));
}

interface MemberParams {
  id: string;
  userId: string;
}

async function findMember(deps: WorkspaceDeps, { id, userId }: MemberParams): Promise<Standing> {
  const standing = await standingOf(deps.directory, id, userId);
  if (!standing) throw notMember();
  if (!isFixedMember(deps, id, userId)) return standing;
  throw new AppError(
    'Conflict',
    'the administrator of the installation must stay an owner of the default workspace',
  );
}

/** Only owners can change owners. */
function checkMayChange(principal: Principal, { workspace, membership }: Standing): void {
  if (principal.role === 'owner' || roleIn(workspace, membership) !== 'owner') return;
  throw new AppError('Forbidden', 'only an owner of the workspace can change or remove an owner');
}

async function giveUpOwnership(deps: WorkspaceDeps, { workspace, membership }: Standing): Promise<void> {
  const isOwner = membership.spec.role === 'owner' || workspace.spec.owners.includes(membership.spec.user);
  if (isOwner) await removeOwner(deps, workspace.metadata.name, membership.spec.user);
}

function notMember(): AppError {
  return new AppError('NotFound', 'member not found: check the user id');
}

function describeMember({ id, userId }: MemberParams): string {
  return `membership of ${userId} in workspace ${id}`;
}
