import type {
  ApiKeyResource,
  MembershipResource,
  UserResource,
  WorkspaceResource,
} from '../../../core/api/resources/accountResources.ts';
import type { KubeObject, ResourceType } from '../../../core/api/resources/kubeObject.ts';
import {
  apiKeyType,
  membershipType,
  userType,
  workspaceType,
} from '../../../core/api/resources/resources.ts';
import type { Lookup } from './lookup.ts';

/** Looks up accounts by name. */
export interface Directory {
  workspaces: Lookup<WorkspaceResource>;
  users: Lookup<UserResource>;
  memberships: Lookup<MembershipResource>;
  apiKeys: Lookup<ApiKeyResource>;
}

/**
 * Watches objects of a kind that authenticate requests, in the namespace of the service: what any replica has acknowledged of them
 * counts at every request.
 */
export type WatchAccounts = <T extends KubeObject>(type: ResourceType<T>) => Lookup<T>;

export function createDirectory(watch: WatchAccounts): Directory {
  return {
    workspaces: watch(workspaceType),
    users: watch(userType),
    memberships: watch(membershipType),
    apiKeys: watch(apiKeyType),
  };
}
