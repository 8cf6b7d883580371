import { workspaceIdOf } from '../../core/accounts/ids.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { type Budget, budgetsOf, type Holding, mib } from '../../core/storage/budget.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import { storageMetricTable, type WorkspaceLabel } from '../../core/storage/metrics.ts';

interface CollectorOptions extends Pick<Installation, 'quota' | 'defaultWorkspace'> {
  metrics: Metrics;
  label: WorkspaceLabel;
  storage: Pick<StorageLedger, 'holdings'>;
}

interface Labelled {
  workspace: string;
  holding: Holding;
}

/** Sets the gauges of what is stored and how full the budgets are. Call it before each scrape. */
export function createStorageCollector(options: CollectorOptions): () => void {
  const { metrics, label, storage, quota, defaultWorkspace } = options;
  const { storedBytes, workspaceRatio, installationRatio } = metrics.instruments(storageMetricTable);
  const budgets = budgetsOf(quota);
  return () => {
    const holdings = [...storage.holdings()].map(([namespace, holding]) => ({
      workspace: label(workspaceIdOf(namespace, defaultWorkspace)),
      holding,
    }));
    const sums = new Map<string, number>();
    for (const { workspace, holding } of holdings)
      sums.set(workspace, (sums.get(workspace) ?? 0) + holding.bytes);
    storedBytes.reset();
    workspaceRatio.reset();
    for (const [workspace, bytes] of sums) storedBytes.set({ workspace }, bytes);
    for (const one of budgets) {
      const { fullest, all } = countsOf(one, holdings);
      for (const [workspace, bytes] of fullest)
        workspaceRatio.set({ workspace, budget: one.name }, bytes / mib / one.workspaceMiB);
      installationRatio.set({ budget: one.name }, all / mib / one.installationMiB);
    }
  };
}

/** What a budget counts, in bytes: of the fullest workspace of each label, and of all workspaces together. */
function countsOf({ bytesOf }: Budget, holdings: readonly Labelled[]) {
  const fullest = new Map<string, number>();
  for (const { workspace, holding } of holdings)
    fullest.set(workspace, Math.max(fullest.get(workspace) ?? 0, bytesOf(holding)));
  return { fullest, all: holdings.reduce((sum, { holding }) => sum + bytesOf(holding), 0) };
}
