/** A rule in Prometheus format. */
export interface Alert {
  alert: string;
  /** PromQL. */
  expr: string;
  for: string;
  /** critical: somebody should look now; warning: today. */
  severity: 'critical' | 'warning';
  annotations: { summary: string };
}
