import type { WorkspaceResource } from '../../api/resources/accountResources.ts';

/**
 * Whose share of a budget the work of a workspace takes: that of the owner who acts, or of the first owner when somebody else acts, or
 * nobody, as through a public URL. So whoever owns many workspaces has one share. A workspace that is not known has its own.
 */
export type ShareOf = (namespace: string, actor?: string) => string;

export interface Shares {
  of: ShareOf;
  /** Where workspaces are found by their namespaces, once they are known. */
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
