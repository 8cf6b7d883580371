import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../core/lib/clock.ts';
import { defineMetrics, type Metrics } from '../../../core/lib/metrics.ts';

const labels = {
  operation: 'operationId in docs/openapi.json; limited (by the rate limit) or none (no such operation)',
};

export const httpMetricTable = defineMetrics({
  requests: {
    type: 'counter',
    name: 'slipway_http_requests_total',
    help: 'Requests to the REST API.',
    labels: {
      ...labels,
      code: 'HTTP status; aborted when the client went away before the end of the response',
    },
  },
  requestDuration: {
    type: 'histogram',
    name: 'slipway_http_request_duration_seconds',
    help: 'Time in seconds from the head of a request to the end of its response.',
    labels,
  },
});

/** Counts a response and records its duration, labelled with its operation. */
export type Observe = (response: ServerResponse, operation: string) => void;

export function createObserve(metrics: Metrics, clock: Clock): Observe {
  const { requests, requestDuration } = metrics.instruments(httpMetricTable);
  return (response, operation) => {
    const startMs = clock.nowMs();
    response.once('close', () => {
      const code = response.writableFinished ? String(response.statusCode) : 'aborted';
      requests.inc({ operation, code });
      requestDuration.observe({ operation }, (clock.nowMs() - startMs) / 1000);
    });
  };
}
