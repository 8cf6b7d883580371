import type { MetricDefinition } from '../../../core/lib/metrics.ts';

interface Query {
  /** PromQL. */
  expr: string;
  legend: string;
}

export interface Panel {
  title: string;
  description: string;
  /** As Grafana names units. */
  unit: string;
  queries: Query[];
  /** What has to happen before there is anything to show, where that is more than requests and networks. */
  needs?: 'calls to engines' | 'forks' | 'webhooks' | 'transactions';
}

/** Grafana chooses an interval that fits the scrapes. */
export const interval = '$__rate_interval';

export function rateBy(metric: MetricDefinition, label: string, where = ''): Query {
  return { expr: `sum by (${label}) (rate(${metric.name}${where}[${interval}]))`, legend: `{{${label}}}` };
}

export function quantiles(metric: MetricDefinition): Query[] {
  return [0.5, 0.95, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le) (rate(${metric.name}_bucket[${interval}])))`,
    legend: `p${quantile * 100}`,
  }));
}

export function maxBy(metric: MetricDefinition, label: string): Query {
  return { expr: `max by (${label}) (${metric.name})`, legend: `{{${label}}}` };
}
