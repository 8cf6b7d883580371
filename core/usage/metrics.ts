import { defineMetrics, type Metrics } from '../lib/metrics.ts';

const labels = {
  workspace: 'id of the workspace; other for those beyond monitoring.workspaceLabels',
};

/** What the API server counts. */
export const callUsageMetricTable = defineMetrics({
  rpcCalls: {
    type: 'counter',
    name: 'slipway_workspace_rpc_calls_total',
    help: 'Calls that the RPC gateway passed on to networks of a workspace.',
    labels,
  },
  transactions: {
    type: 'counter',
    name: 'slipway_workspace_transactions_total',
    help: 'Transactions of a workspace that were accepted over REST.',
    labels,
  },
});

/** What the operator counts. */
export const networkUsageMetricTable = defineMetrics({
  networkSeconds: {
    type: 'counter',
    name: 'slipway_workspace_network_seconds_total',
    help: 'Time in seconds that networks of a workspace ran, all together.',
    labels,
  },
  quotaUsed: {
    type: 'gauge',
    name: 'slipway_workspace_quota_used_ratio',
    help: "How much of the namespace's ResourceQuota is used, from 0 to 1: of the resource that is nearest to its limit.",
    labels,
  },
});

/** What the operator counts of stored data. */
export const storageMetricTable = defineMetrics({
  storedBytes: {
    type: 'gauge',
    name: 'slipway_workspace_stored_bytes',
    help: 'What a workspace stores in etcd, in bytes.',
    labels,
  },
  workspaceRatio: {
    type: 'gauge',
    name: 'slipway_workspace_stored_ratio',
    help: 'What a workspace stores, as a part of its budget quota.workspaceStoredMiB; of workspaces that share a label, the fullest one.',
    labels,
  },
  installationRatio: {
    type: 'gauge',
    name: 'slipway_stored_ratio',
    help: 'What all workspaces store together, as a part of the budget quota.storedMiB.',
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

interface CallUsageOptions {
  metrics: Metrics;
  label: WorkspaceLabel;
  workspaceOf(namespace: string): string;
}

/** Counts calls and transactions of a namespace. */
export function createCallUsageMetrics({ metrics, label, workspaceOf }: CallUsageOptions) {
  const { rpcCalls, transactions } = metrics.instruments(callUsageMetricTable);
  const labelOf = (namespace: string) => ({ workspace: label(workspaceOf(namespace)) });
  return {
    rpcCalls: (namespace: string, count: number) => rpcCalls.inc(labelOf(namespace), count),
    transactions: (namespace: string, count: number) => transactions.inc(labelOf(namespace), count),
  };
}
