import { defineServerFeature } from '../../../apiserver/feature.ts';
import { callUsageMetricTable } from '../core/metrics.ts';
import { createUsageCounting } from './counting.ts';
import { getUsage } from './getUsage.ts';

export const feature = defineServerFeature({
  metrics: [callUsageMetricTable],
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
