import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import { workspaceType } from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { notFound } from '../store/find.ts';
import { updateLive } from '../store/updateLive.ts';
import type { WorkspaceDeps } from './deps.ts';

const maxOwners = 100;

interface NewOwner {
  userId: string;
  /** Takes back what was written of the membership: one that claims `owner` counts as admin. */
  undo(): Promise<void>;
}

/** Makes a user an owner. The membership must have the role as well and is written first. Throws Conflict when there are 100. */
export async function addOwner(
  deps: WorkspaceDeps,
  workspaceId: string,
  { userId, undo }: NewOwner,
): Promise<Stored<WorkspaceResource>> {
  try {
    return await changeOwners(deps, workspaceId, (owners) => {
      if (!owners.includes(userId)) checkOwners(owners);
      return [...owners, userId];
    });
  } catch (error) {
    if (isAppError(error, 'Conflict')) await undo();
    throw error;
  }
}

/** Throws Conflict when a workspace has the maximum of owners. */
export function checkOwners(owners: readonly string[]): void {
  if (owners.length < maxOwners) return;
  throw new AppError('Conflict', `a workspace can have at most ${maxOwners} owners: remove one first`);
}

/** Removes a user from the owners, before the membership is changed. Throws Conflict for the last owner. */
export function removeOwner(
  deps: WorkspaceDeps,
  workspaceId: string,
  userId: string,
): Promise<Stored<WorkspaceResource>> {
  return changeOwners(deps, workspaceId, (owners) => {
    const left = owners.filter((owner) => owner !== userId);
    if (left.length > 0) return left;
    throw new AppError(
      'Conflict',
      'the user is the last owner of the workspace: make another member an owner first',
    );
  });
}

/** The owners are one list in one object, so that two owners who leave at the same time cannot both succeed. */
async function changeOwners(
  { kube, namespace }: WorkspaceDeps,
  workspaceId: string,
  change: (owners: string[]) => string[],
): Promise<Stored<WorkspaceResource>> {
  const target = { type: workspaceType, namespace, name: workspaceId, absent: () => notFound('Workspace') };
  return updateLive(kube, target, (current) => {
    const owners = [...new Set(change(current.spec.owners))];
    if (owners.join() === current.spec.owners.join()) return current;
    return { ...current, spec: { ...current.spec, owners } };
  });
}
