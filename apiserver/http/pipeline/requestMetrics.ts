import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Metrics } from '../../../core/lib/metrics.ts';

/** Counts an answer and its duration under the name of its operation. */
export type Observe = (response: ServerResponse, operation: string) => void;

/** `slipway_http_requests_total{operation,code}` and `slipway_http_request_duration_seconds{operation}`. */
export function createObserve(metrics: Metrics, clock: Clock): Observe {
  const requests = metrics.counter('http_requests_total', 'Requests answered.', ['operation', 'code']);
  const durations = metrics.histogram(
    'http_request_duration_seconds',
    'Time from the head of a request to the end of its answer.',
    ['operation'],
  );
  return (response, operation) => {
    const startMs = clock.nowMs();
    response.once('close', () => {
      const code = response.writableFinished ? String(response.statusCode) : 'aborted';
      requests.inc({ operation, code });
      durations.observe({ operation }, (clock.nowMs() - startMs) / 1000);
    });
  };
}
