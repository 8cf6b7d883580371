import { defineMetrics } from '../../../core/lib/metrics.ts';

export const auditMetricTable = defineMetrics({
  entries: {
    type: 'counter',
    name: 'slipway_audit_entries_total',
    help: 'Entries for the audit lists of workspaces; the log has all of them.',
    labels: { outcome: 'stored, or dropped (too many at once, or the namespace is gone)' },
  },
});
