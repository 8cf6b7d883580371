import { defineMetrics } from '../lib/metrics.ts';

/** Of metrics of a workspace. */
export const workspaceLabels = {
  workspace: 'id of the workspace; other for those beyond monitoring.workspaceLabels',
};

/** What the operator counts of stored data. */
export const storageMetricTable = defineMetrics({
  storedBytes: {
    type: 'gauge',
    name: 'slipway_workspace_stored_bytes',
    help: 'What a workspace stores in etcd, in bytes.',
    labels: workspaceLabels,
  },
  workspaceRatio: {
    type: 'gauge',
    name: 'slipway_workspace_stored_ratio',
    help: 'What a workspace stores, as a part of its budget quota.workspaceStoredMiB, or of quota.workspaceCachedMiB if that is fuller; of workspaces that share a label, the fullest one.',
    labels: workspaceLabels,
  },
  installationRatio: {
    type: 'gauge',
    name: 'slipway_stored_ratio',
    help: 'What all workspaces store together, as a part of the budget quota.storedMiB, or of quota.cachedMiB if that is fuller.',
  },
});

/** The label of a workspace. */
export type WorkspaceLabel = (workspaceId: string) => string;

/**
 * The first `max` workspaces that are seen have labels of their own, and the others share one: the number of series stays
 * bounded, however many workspaces there are.
 */
export function createWorkspaceLabel(max: number): WorkspaceLabel {
  const own = new Set<string>();
  return (workspaceId) => {
    if (own.has(workspaceId)) return workspaceId;
    if (own.size >= max) return 'other';
    own.add(workspaceId);
    return workspaceId;
  };
}
