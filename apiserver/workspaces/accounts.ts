import type { KeyObject } from 'node:crypto';
import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import type { ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { KubeMetrics } from '../../core/kube/metrics.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import { createBootstrapKeySource } from '../http/auth/keySource.ts';
import { type BudgetMetrics, noBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Store } from '../store/kubeErrors.ts';
import { createAccountKeySource } from './apiKeys/keySource.ts';
import { createNoteUse } from './apiKeys/lastUse.ts';
import { createBootstrap } from './bootstrap.ts';
import { createBudget } from './directory/budget.ts';
import { createAccountCaches, createDirectory } from './directory/directory.ts';
import { createWorkspaceHandlers } from './handlers.ts';

export interface AccountsOptions {
  kube: Store & ReflectorOptions<never>['kube'];
  /** The namespace of the service. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  bootstrapKey: { keyId: string; keySecret: string };
  pepper: KeyObject;
  maxWorkspaces: number;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  metrics?: KubeMetrics;
  budgets?: Pick<BudgetMetrics, 'refused'>;
}

/** Everything for accounts: authentication and the Workspace API. Nothing is started yet. */
export function createAccounts(options: AccountsOptions) {
  const { kube, namespace, defaultWorkspace, pepper, clock, log, metrics } = options;
  const reading = { kube, clock, log, ...compact({ metrics }) };
  const caches = createAccountCaches(reading, namespace);
  const budget = createBudget(clock, options.budgets ?? noBudgetMetrics);
  const directory = createDirectory({ kube, caches, namespace, clock, budget });
  const bootstrapKey = { ...options.bootstrapKey, pepper, workspace: defaultWorkspace };
  return {
    keySource: createAccountKeySource({
      directory,
      bootstrap: createBootstrapKeySource(bootstrapKey),
      defaultWorkspace,
      noteUse: createNoteUse({ kube, apiKeys: directory.apiKeys, clock, log }),
      clock,
    }),
    handlers: createWorkspaceHandlers({ ...options, directory, budget }),
    users: directory.users,
    caches: Object.values(caches),
    /** Creates the initial objects of an installation. */
    bootstrap: createBootstrap({ kube, namespace, defaultWorkspaceId: defaultWorkspace.id, clock, log }),
  };
}
