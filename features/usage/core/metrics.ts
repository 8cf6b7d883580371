import { defineMetrics, type Metrics } from '../../../core/lib/metrics.ts';
import { type WorkspaceLabel, workspaceLabels } from '../../../core/storage/metrics.ts';

/** What the API server counts. */
export const callUsageMetricTable = defineMetrics({
  rpcCalls: {
    type: 'counter',
    name: 'slipway_workspace_rpc_calls_total',
    help: 'Calls that the RPC gateway passed on to networks of a workspace.',
    labels: workspaceLabels,
  },
  transactions: {
    type: 'counter',
    name: 'slipway_workspace_transactions_total',
    help: 'Transactions of a workspace that were accepted over REST.',
    labels: workspaceLabels,
  },
});

/** What the operator counts. */
export const networkUsageMetricTable = defineMetrics({
  networkSeconds: {
    type: 'counter',
    name: 'slipway_workspace_network_seconds_total',
    help: 'Time in seconds that networks of a workspace ran, all together.',
    labels: workspaceLabels,
  },
  quotaUsed: {
    type: 'gauge',
    name: 'slipway_workspace_quota_used_ratio',
    help: "How much of the namespace's ResourceQuota is used, from 0 to 1: of the resource that is nearest to its limit.",
    labels: workspaceLabels,
  },
});

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
