import { workspaceIdOf } from '../../core/accounts/ids.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { cachedIn, mib } from '../../core/storage/budget.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import { storageBudgets, storageMetricTable, type WorkspaceLabel } from '../../core/storage/metrics.ts';

interface CollectorOptions extends Pick<Installation, 'quota' | 'defaultWorkspace'> {
  metrics: Metrics;
  label: WorkspaceLabel;
  storage: Pick<StorageLedger, 'holdings'>;
}

/** Sets the gauges of what is stored and how full the budgets are. Call it before each scrape. */
export function createStorageCollector(options: CollectorOptions): () => void {
  const { metrics, label, storage, quota, defaultWorkspace } = options;
  const { storedBytes, workspaceRatio, installationRatio } = metrics.instruments(storageMetricTable);
  const limits = {
    stored: { workspaceMiB: quota.workspaceStoredMiB, installationMiB: quota.storedMiB },
    cached: { workspaceMiB: quota.workspaceCachedMiB, installationMiB: quota.cachedMiB },
  };
  return () => {
    const sums = new Map<string, number>();
    const fullest = { stored: new Map<string, number>(), cached: new Map<string, number>() };
    const all = { stored: 0, cached: 0 };
    for (const [namespace, holding] of storage.holdings()) {
      const workspace = label(workspaceIdOf(namespace, defaultWorkspace));
      const own = { stored: holding.bytes, cached: cachedIn(holding) };
      sums.set(workspace, (sums.get(workspace) ?? 0) + own.stored);
      for (const budget of storageBudgets) {
        all[budget] += own[budget];
        fullest[budget].set(workspace, Math.max(fullest[budget].get(workspace) ?? 0, own[budget]));
      }
    }
    storedBytes.reset();
    workspaceRatio.reset();
    for (const [workspace, bytes] of sums) storedBytes.set({ workspace }, bytes);
    for (const budget of storageBudgets) {
      const { workspaceMiB, installationMiB } = limits[budget];
      for (const [workspace, bytes] of fullest[budget])
        workspaceRatio.set({ workspace, budget }, bytes / mib / workspaceMiB);
      installationRatio.set({ budget }, all[budget] / mib / installationMiB);
    }
  };
}
