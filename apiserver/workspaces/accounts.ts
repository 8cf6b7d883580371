import type { KeyObject } from 'node:crypto';
import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import { apiKeyType } from '../../core/api/resources/resources.ts';
import type { ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { KubeMetrics } from '../../core/kube/metrics.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import { createBootstrapKeySource } from '../http/auth/keySource.ts';
import { type BudgetMetrics, noBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Store } from '../store/kubeErrors.ts';
import { createBootstrapKey } from './apiKeys/bootstrapKey.ts';
import { createAccountKeySource } from './apiKeys/keySource.ts';
import { createNoteUse } from './apiKeys/lastUse.ts';
import { createBootstrap } from './bootstrap.ts';
import type { WorkspaceDeps } from './deps.ts';
import { createBudget } from './directory/budget.ts';
import { createAccountCaches, createDirectory } from './directory/directory.ts';
import { createWorkspaceHandlers } from './handlers.ts';

export interface AccountsOptions {
  kube: Store & ReflectorOptions<never>['kube'];
  /** The namespace of the service. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  /** `expiresAt`: RFC 3339, or empty. */
  bootstrapKey: { keyId: string; keySecret: string; expiresAt: string };
  pepper: KeyObject;
  quota: WorkspaceDeps['quota'];
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
  const { keyId, expiresAt } = options.bootstrapKey;
  const initial = createBootstrapKeySource({ ...options.bootstrapKey, pepper, workspace: defaultWorkspace });
  const place = { kube, directory, namespace, defaultWorkspace, clock, log };
  const bootstrapKey = createBootstrapKey({ ...place, keyId, expiresAt, initial });
  return {
    keySource: createAccountKeySource({
      directory,
      bootstrap: bootstrapKey.source,
      defaultWorkspace,
      noteUse: createNoteUse(place, {
        type: apiKeyType,
        read: ({ status }) => status?.lastUsedAt,
        statusOf: (lastUsedAt) => ({ lastUsedAt }),
        onGone: directory.apiKeys.forget,
      }),
      clock,
    }),
    handlers: createWorkspaceHandlers({ ...options, bootstrapKey, directory, budget }),
    users: directory.users,
    caches: Object.values(caches),
    /** Creates the initial objects of an installation. */
    bootstrap: createBootstrap({ kube, namespace, defaultWorkspaceId: defaultWorkspace.id, clock, log }),
  };
}
