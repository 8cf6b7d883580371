import { defineServerFeature } from '../../../apiserver/feature.ts';
import { callUsageMetricTable, transactionUsageMetricTable } from '../core/metrics.ts';
import { createUsageCounting } from './counting.ts';
import { getUsage } from './getUsage.ts';

export const feature = defineServerFeature({
  metrics: [callUsageMetricTable, transactionUsageMetricTable],
  create(surroundings) {
    const { installation, traffic } = surroundings;
    const counting = createUsageCounting(surroundings);
    traffic.countWith(counting);
    return {
      handlers: {
        getUsage: getUsage({
          ...surroundings,
          quota: installation.quota,
          resourceQuota: installation.workspaces.resourceQuota,
          pendingOf: counting.pendingOf,
        }),
      },
      steps: [counting.step],
      flush: counting.flush,
    };
  },
});
