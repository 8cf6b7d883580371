import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import { namespaceOf } from '../../core/accounts/ids.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import type { ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { isAppError, messageOf } from '../../core/lib/errors.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { workEvery } from '../../core/lib/work/workEvery.ts';
import { type StorageQuota, storageRefusal } from '../../core/storage/budget.ts';
import { addedBytes } from '../../core/storage/kinds.ts';
import type { Controller } from '../runtime/controller.ts';
import { createSchedule, type Schedule } from './due.ts';
import { type AccountedWorkspace, publishStock } from './publish.ts';
import { createStocks, type Stock, type Stocks } from './stock.ts';

export interface StorageDeps extends Pick<ReflectorOptions<never>, 'clock' | 'log' | 'kubeMetrics'> {
  kube: Pick<Kube, 'list' | 'watch' | 'create' | 'patch' | 'serverTimeMs'>;
  caches: { workspaces: { list(): Iterable<WorkspaceResource> } };
  defaultWorkspace: DefaultWorkspace;
  quota: StorageQuota;
}

/** How often changes are looked for. */
const intervalMs = 2_000;
const parallelWrites = 4;

/**
 * Counts what workspaces store, and publishes it for the replicas of the API server. The leader alone counts: with each term,
 * everything is listed once, and then watched.
 */
export function createStorageController(deps: StorageDeps): Controller {
  return {
    name: 'storage',
    async run(signal) {
      const schedule = createSchedule();
      const stocks = createStocks(deps, (namespace) => schedule.changed(namespace, deps.clock.nowMs()));
      const stop = () => void stocks.stop();
      signal.addEventListener('abort', stop, { once: true });
      stocks.start();
      try {
        await stocks.whenSynced();
        await workEvery({ clock: deps.clock, intervalMs, signal }, async () => {
          if (!signal.aborted) await publishDue(deps, stocks, schedule);
        });
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await stocks.stop();
      }
    },
  };
}

async function publishDue(deps: StorageDeps, stocks: Stocks, schedule: Schedule): Promise<void> {
  const workspaces = workspacesOf(deps);
  schedule.keepOnly(new Set(workspaces.map(({ namespace }) => namespace)));
  const due = workspaces.filter(({ namespace }) =>
    schedule.isDue(namespace, { nowMs: deps.clock.nowMs(), bytes: stocks.in(namespace).bytes }),
  );
  await inParallel(due, parallelWrites, (workspace) => publishOne(deps, { stocks, schedule }, workspace));
}

interface Publishing {
  stocks: Stocks;
  schedule: Schedule;
}

/** Never rejects: what could not be written is written the next time. */
async function publishOne(
  deps: StorageDeps,
  { stocks, schedule }: Publishing,
  workspace: AccountedWorkspace,
): Promise<void> {
  const { namespace } = workspace;
  try {
    // Everything that was stored before this time is in the stock that is read after it.
    const asOfMs = await deps.kube.serverTimeMs();
    const stock = stocks.in(namespace);
    const nowMs = deps.clock.nowMs();
    await publishStock(deps.kube, workspace, {
      ...stock,
      asOfMs,
      refusal: refusalOf(deps, workspace, stock),
    });
    schedule.published(namespace, { nowMs, bytes: stock.bytes });
  } catch (error) {
    // A namespace that is not there yet, or that is being deleted.
    if (isAppError(error, 'NotFound') || isAppError(error, 'Forbidden')) return;
    deps.log.warn('cannot publish what a workspace stores; will retry', {
      namespace,
      reason: messageOf(error),
    });
  }
}

/** Why another object would exceed the budget of the workspace: no process sees what kubectl creates before it is stored. */
function refusalOf(
  { quota }: StorageDeps,
  { namespace, account }: AccountedWorkspace,
  stock: Stock,
): string | undefined {
  return storageRefusal(quota, new Map([[namespace, { account, ...stock }]]), {
    namespace,
    bytes: addedBytes,
    // Nearly everything that users create is kept in memory.
    isCached: true,
  });
}

/** The namespaces of all workspaces. What an account stores is what is in the workspaces that it created. */
function workspacesOf({ caches, defaultWorkspace }: StorageDeps): AccountedWorkspace[] {
  return [...caches.workspaces.list()].map(({ metadata: { name: id }, spec }) => ({
    namespace: namespaceOf(id, defaultWorkspace),
    account: spec.createdBy ?? spec.personalFor ?? id,
  }));
}
