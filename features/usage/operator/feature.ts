import type { OperatorFeature } from '../../../operator/feature.ts';
import { createUsageLedger } from '../core/ledger.ts';
import {
  createTransactionMetrics,
  networkUsageMetricTable,
  transactionUsageMetricTable,
} from '../core/metrics.ts';
import { createUsageMeter } from './meter.ts';
import { createQuotaCollector } from './quotaCollector.ts';

export const feature: OperatorFeature = {
  metrics: [networkUsageMetricTable, transactionUsageMetricTable],
  open: () => ({
    caches: [],
    collectors: ({ metrics, workspaceLabel, resourceQuotas }) => [
      createQuotaCollector(metrics, workspaceLabel, resourceQuotas.list),
    ],
    connect({ networks: { networks }, workspaceLabel: label, installation, traffic, ...surroundings }) {
      const { defaultWorkspace } = installation;
      const ledger = createUsageLedger(surroundings);
      const options = { ...surroundings, label, defaultWorkspace };
      const countTransactions = createTransactionMetrics(options);
      traffic.countWith({
        rpcCalls: () => undefined,
        transactions(namespace, count) {
          ledger.add(namespace, { transactions: count });
          countTransactions(namespace, count);
        },
      });
      return () => [createUsageMeter({ ...options, networks, ledger })];
    },
  }),
};
