import { defineMetrics } from '../lib/metrics.ts';

/** Of metrics of a workspace. */
export const workspaceLabels = {
  workspace: 'id of the workspace; other for those beyond monitoring.workspaceLabels',
};

const budget = {
  budget:
    'stored: quota.storedMiB or quota.workspaceStoredMiB; cached, of what processes keep in memory: quota.cachedMiB or quota.workspaceCachedMiB',
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
    help: 'What a workspace stores, as a part of each of its budgets; of workspaces that share a label, the fullest one.',
    labels: { ...workspaceLabels, ...budget },
  },
  installationRatio: {
    type: 'gauge',
    name: 'slipway_stored_ratio',
    help: 'What all workspaces store together, as a part of each budget.',
    labels: budget,
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
