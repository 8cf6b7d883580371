import { alerts } from './files.ts';

/** The groups of a rule file of Prometheus, and the spec of a PrometheusRule. */
export function ruleGroups() {
  const rules = alerts.map(({ alert, expr, for: duration, severity, summary }) => ({
    alert,
    expr,
    for: duration,
    labels: { severity },
    annotations: { summary, runbook_url: `docs/observability.md#${alert.toLowerCase()}` },
  }));
  return { groups: [{ name: 'slipway', rules }] };
}
