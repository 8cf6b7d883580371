import { labels } from '../../../core/api/names.ts';
import type { Metrics } from '../../../core/lib/metrics.ts';
import type { WorkspaceLabel } from '../../../core/storage/metrics.ts';
import type { ResourceQuota } from '../../../operator/workspace/kinds.ts';
import { networkUsageMetricTable } from '../core/metrics.ts';

/** Says how full the quota of each workspace is. Call it before each scrape. */
export function createQuotaCollector(
  metrics: Metrics,
  label: WorkspaceLabel,
  list: () => Iterable<ResourceQuota>,
): () => void {
  const { quotaUsed } = metrics.instruments(networkUsageMetricTable);
  return () => {
    const ratios = new Map<string, number>();
    for (const quota of list()) {
      const workspace = label(quota.metadata.labels?.[labels.workspaceNamespace] ?? 'other');
      ratios.set(workspace, Math.max(ratios.get(workspace) ?? 0, usedRatio(quota)));
    }
    quotaUsed.reset();
    for (const [workspace, ratio] of ratios) quotaUsed.set({ workspace }, ratio);
  };
}

/** How much is used of the resource that is nearest to its limit. Unreadable quantities count as unused. */
function usedRatio({ spec, status }: ResourceQuota): number {
  const ratios = Object.entries(spec.hard).map(([resource, hard]) => {
    const max = quantity(String(hard));
    const used = quantity(status?.used?.[resource] ?? '0');
    return max > 0 && used >= 0 ? used / max : 0;
  });
  return Math.max(0, ...ratios);
}

const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** A quantity of Kubernetes as a number; -1 if it cannot be read. */
function quantity(text: string): number {
  const [, digits = '', suffix = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  const factor = factors[suffix];
  return digits === '' || factor === undefined ? -1 : Number(digits) * factor;
}
