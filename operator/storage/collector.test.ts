import { createMetrics } from '../../core/lib/metrics.ts';
import { mib } from '../../core/storage/budget.ts';
import { createWorkspaceLabel, storageMetricTable } from '../../core/storage/metrics.ts';
import { createStorageCollector } from './collector.ts';

test('metrics say what is stored and how full the budgets are; workspaces that share a label count together', async () => {
  const metrics = createMetrics([storageMetricTable]);
  const holding = (sizeMiB: number) => ({ account: 'ann', bytes: sizeMiB * mib, kinds: {} });
  const holdings = new Map([
    ['slipway-default', holding(64)],
    ['slipway-w1', holding(128)],
    ['slipway-w2', holding(192)],
  ]);
  createStorageCollector({
    metrics,
    label: createWorkspaceLabel(1),
    storage: { holdings: () => holdings },
    quota: { workspaceStoredMiB: 256, storedMiB: 1024, workspaceCachedMiB: 32, cachedMiB: 128 } as never,
    defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
  })();
  const { text } = await metrics.scrape();
  expect(text).toContain(`slipway_workspace_stored_bytes{workspace="default"} ${64 * mib}`);
  expect(text).toContain(`slipway_workspace_stored_bytes{workspace="other"} ${320 * mib}`);
  expect(text).toContain('slipway_workspace_stored_ratio{workspace="other",budget="stored"} 0.75');
  expect(text).toContain('slipway_stored_ratio{budget="stored"} 0.375');
});

test('metrics say how full the budgets of what processes keep in memory are', async () => {
  const metrics = createMetrics([storageMetricTable]);
  const holding = { account: 'ann', bytes: 64 * mib, kinds: {}, cached: { secrets: 16 * mib } };
  createStorageCollector({
    metrics,
    label: createWorkspaceLabel(1),
    storage: { holdings: () => new Map([['slipway-default', holding]]) },
    quota: { workspaceStoredMiB: 256, storedMiB: 1024, workspaceCachedMiB: 32, cachedMiB: 128 } as never,
    defaultWorkspace: { id: 'default', namespace: 'slipway-default' },
  })();
  const { text } = await metrics.scrape();
  expect(text).toContain('slipway_workspace_stored_ratio{workspace="default",budget="cached"} 0.5');
  expect(text).toContain('slipway_stored_ratio{budget="cached"} 0.125');
});
