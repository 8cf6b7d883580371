import type { MonitoringFeature } from '../../../hack/generate/monitoring/feature.ts';
import { compilerMetricTables } from '../compilers/metrics.ts';

export const feature: MonitoringFeature = {
  processes: [
    {
      name: 'compilers',
      note: 'Compiles contracts for their verification. Add its replicas up with `sum`.',
      tables: compilerMetricTables,
    },
  ],
};
