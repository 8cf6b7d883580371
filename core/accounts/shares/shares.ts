import type { WorkspaceResource } from '../../api/resources/accountResources.ts';

/**
 * The account whose share of a budget the work of a workspace uses: the owner who acts, or the first owner when somebody else
 * acts, or nobody does, as through a public URL. So an owner of many workspaces has one share. An unknown workspace has a share
 * of its own.
 */
export type ShareOf = (namespace: string, actor?: string) => string;

export interface Shares {
  of: ShareOf;
  /** Looks up workspaces by their namespaces, once they are known. */
  follow(find: FindWorkspace): void;
}

type FindWorkspace = (namespace: string) => Pick<WorkspaceResource, 'spec'> | undefined;

export function createShares(find: FindWorkspace = () => undefined): Shares {
  let current = find;
  return {
    of(namespace, actor = '') {
      const owners = current(namespace)?.spec.owners ?? [];
      const account = owners.includes(actor) ? actor : owners[0];
      return account === undefined ? `workspace/${namespace}` : `account/${account}`;
    },
    follow(later) {
      current = later;
    },
  };
}
