import { defineMetrics, type Metrics } from '../lib/metrics.ts';

export const kubeMetricTable = defineMetrics({
  requestDuration: {
    type: 'histogram',
    name: 'slipway_kube_request_duration_seconds',
    help: 'Time in seconds from sending a request to kube-apiserver to the head of its response.',
    labels: {
      verb: 'get, list, create, replace, apply, patch, delete, watch or log',
      code: 'HTTP status; 0 when there was no response',
    },
  },
  watchRestarts: {
    type: 'counter',
    name: 'slipway_watch_restarts_total',
    help: 'Watches that ended and were started again.',
    labels: { kind: 'kind of the watched objects', reason: 'ended, idle, gone, throttled or error' },
  },
});

/** The metrics of core/kube; the process supplies the instruments. */
export interface KubeMetrics {
  /** A watch of `kind` ended and starts again. */
  watchRestarts(kind: string, reason: string): void;
  /** One request was answered. `code` is 0 when there was no answer. */
  requests?(verb: string, code: number, durationMs: number): void;
}

/** The metrics of the connection to Kubernetes, among those of a process. */
export function createKubeMetrics(metrics: Metrics): KubeMetrics {
  const { requestDuration, watchRestarts } = metrics.instruments(kubeMetricTable);
  return {
    watchRestarts: (kind, reason) => watchRestarts.inc({ kind, reason }),
    requests: (verb, code, durationMs) =>
      requestDuration.observe({ verb, code: String(code) }, durationMs / 1000),
  };
}
