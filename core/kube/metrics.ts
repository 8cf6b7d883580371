/** What core/kube counts; the process supplies the counters. */
export interface KubeMetrics {
  /** A watch of `kind` ended and begins anew. `reason`: ended, idle, gone, throttled, error. */
  watchRestarts(kind: string, reason: string): void;
  /** One request was answered. `code` is 0 when no answer came. */
  requests?(verb: string, code: number, durationMs: number): void;
}
