import type { OperatorFeature } from '../../../operator/feature.ts';
import { networkUsageMetricTable } from '../core/metrics.ts';
import { createUsageMeter } from './meter.ts';
import { createQuotaCollector } from './quotaCollector.ts';

export const feature: OperatorFeature = {
  metrics: [networkUsageMetricTable],
  open: () => ({
    caches: [],
    collectors: ({ metrics, workspaceLabel, resourceQuotas }) => [
      createQuotaCollector(metrics, workspaceLabel, resourceQuotas.list),
    ],
    connect({ networks: { networks }, workspaceLabel: label, installation, ...surroundings }) {
      const { defaultWorkspace } = installation;
      return () => [createUsageMeter({ ...surroundings, networks, label, defaultWorkspace })];
    },
  }),
};
