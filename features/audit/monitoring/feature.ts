import type { MonitoringFeature } from '../../../hack/generate/monitoring/feature.ts';
import { rateBy } from '../../../hack/generate/monitoring/panel.ts';
import { auditMetricTable } from '../server/metrics.ts';

export const feature: MonitoringFeature = {
  alerts: [
    {
      alert: 'SlipwayAuditIncomplete',
      expr: `sum(increase(${auditMetricTable.entries.name}{outcome="dropped"}[15m])) > 0`,
      for: '5m',
      severity: 'warning',
      annotations: { summary: 'Audit lists of workspaces lack entries; the log of the API server has them.' },
    },
  ],
  panels: [
    {
      row: 'Use by workspace',
      title: 'Audit entries',
      description: 'Stored in the lists of workspaces, or dropped.',
      unit: 'ops',
      queries: [rateBy(auditMetricTable.entries, 'outcome')],
    },
  ],
};
