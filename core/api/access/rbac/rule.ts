import { apiGroup } from '../../names.ts';

/** What one process may do with some resources; `reason` is written next to the rule. */
export interface AccessRule {
  reason: string;
  groups: readonly string[];
  resources: readonly string[];
  verbs: readonly string[];
  /** Only these objects. `{… role}` stands for a role that the operator binds in workspaces. */
  names?: readonly string[];
}

/**
 * Where rules apply: in the whole cluster, in the namespaces of workspaces, in those of them that the operator created,
 * or in the namespace of the service.
 */
export interface ProcessAccess {
  cluster: readonly AccessRule[];
  workspaces: readonly AccessRule[];
  workspaceNamespaces: readonly AccessRule[];
  own: readonly AccessRule[];
}

export const read = ['get', 'list', 'watch'] as const;
export const slipway = [apiGroup] as const;
export const core = [''] as const;
