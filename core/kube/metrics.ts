import type { Metrics } from '../lib/metrics.ts';

/** What core/kube counts; the process supplies the counters. */
export interface KubeMetrics {
  /** A watch of `kind` ended and begins anew. `reason`: ended, idle, gone, throttled, error. */
  watchRestarts(kind: string, reason: string): void;
  /** One request was answered. `code` is 0 when no answer came. */
  requests?(verb: string, code: number, durationMs: number): void;
}

/** Counts of the connection to Kubernetes, in the metrics of a process. */
export function createKubeMetrics(metrics: Metrics): KubeMetrics {
  const restarts = metrics.counter('watch_restarts_total', 'Watches that began anew.', ['kind', 'reason']);
  const requests = metrics.histogram('kube_request_seconds', 'Requests to kube-apiserver.', ['verb', 'code']);
  return {
    watchRestarts: (kind, reason) => restarts.inc({ kind, reason }),
    requests: (verb, code, durationMs) => requests.observe({ verb, code: String(code) }, durationMs / 1000),
  };
}
