import { apiGroup } from '../../names.ts';

/** What one process may do with some resources; `reason` is written beside the rule. */
export interface AccessRule {
  reason: string;
  groups: readonly string[];
  resources: readonly string[];
  verbs: readonly string[];
  /** Only these objects. `{workspace role}` and `{home role}` stand for the roles that are bound in workspaces. */
  names?: readonly string[];
}

/**
 * Where rules hold: in the whole cluster, in the namespaces of workspaces, in those among them that the operator made,
 * or in the service's own.
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
