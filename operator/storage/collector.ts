import { workspaceIdOf } from '../../core/accounts/ids.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { cachedIn, mib } from '../../core/storage/budget.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import { storageMetricTable, type WorkspaceLabel } from '../../core/storage/metrics.ts';

interface CollectorOptions extends Pick<Installation, 'quota' | 'defaultWorkspace'> {
  metrics: Metrics;
  label: WorkspaceLabel;
  storage: Pick<StorageLedger, 'holdings'>;
}

/** Sets the gauges of what is stored and how full the budgets are. Call it before each scrape. */
export function createStorageCollector(options: CollectorOptions): () => void {
  const { metrics, label, storage, quota, defaultWorkspace } = options;
  const { storedBytes, workspaceRatio, installationRatio } = metrics.instruments(storageMetricTable);
  return () => {
    const sums = new Map<string, number>();
    const ratios = new Map<string, number>();
    let [all, cached] = [0, 0];
    for (const [namespace, holding] of storage.holdings()) {
      const { bytes } = holding;
      const ownCached = cachedIn(holding);
      const workspace = label(workspaceIdOf(namespace, defaultWorkspace));
      const ratio = Math.max(bytes / quota.workspaceStoredMiB, ownCached / quota.workspaceCachedMiB) / mib;
      all += bytes;
      cached += ownCached;
      sums.set(workspace, (sums.get(workspace) ?? 0) + bytes);
      ratios.set(workspace, Math.max(ratios.get(workspace) ?? 0, ratio));
    }
    storedBytes.reset();
    workspaceRatio.reset();
    for (const [workspace, bytes] of sums) storedBytes.set({ workspace }, bytes);
    for (const [workspace, ratio] of ratios) workspaceRatio.set({ workspace }, ratio);
    installationRatio.set(Math.max(all / quota.storedMiB, cached / quota.cachedMiB) / mib);
  };
}
