import { defineMetrics } from '../lib/metrics.ts';

export const tracingMetricTable = defineMetrics({
  spans: {
    type: 'counter',
    name: 'slipway_trace_spans_total',
    help: 'Spans of recorded traces, once they ended.',
    labels: {
      outcome:
        'exported, dropped (too many waited for the collector) or failed (the collector did not take them)',
    },
  },
});
