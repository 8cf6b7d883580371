import { type DefaultWorkspace, workspaceIdOf } from '../../../core/accounts/ids.ts';
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
});

/** What the API server counts of submissions, and the operator of replays. */
export const transactionUsageMetricTable = defineMetrics({
  transactions: {
    type: 'counter',
    name: 'slipway_workspace_transactions_total',
    help: 'Transactions of a workspace that were accepted over REST, in submissions and replays.',
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

interface UsageMetricsOptions {
  metrics: Metrics;
  label: WorkspaceLabel;
  defaultWorkspace: DefaultWorkspace;
}

/** Counts calls of a namespace. */
export function createCallMetrics({ metrics, ...labels }: UsageMetricsOptions) {
  const { rpcCalls } = metrics.instruments(callUsageMetricTable);
  return (namespace: string, count: number) => rpcCalls.inc(labelsOf(namespace, labels), count);
}

/** Counts transactions of a namespace. */
export function createTransactionMetrics({ metrics, ...labels }: UsageMetricsOptions) {
  const { transactions } = metrics.instruments(transactionUsageMetricTable);
  return (namespace: string, count: number) => transactions.inc(labelsOf(namespace, labels), count);
}

function labelsOf(namespace: string, { label, defaultWorkspace }: Omit<UsageMetricsOptions, 'metrics'>) {
  return { workspace: label(workspaceIdOf(namespace, defaultWorkspace)) };
}
