import type { KeyObject } from 'node:crypto';
import { type DefaultWorkspace, workspaceIdOf } from '../../core/accounts/ids.ts';
import type { Shares } from '../../core/accounts/shares/shares.ts';
import { apiKeyType } from '../../core/api/resources/resources.ts';
import { createReflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { KubeMetrics } from '../../core/kube/metrics.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Background } from '../background.ts';
import { createBootstrapKeySource } from '../http/auth/keySource.ts';
import { type BudgetMetrics, noBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { ReadsAfterWrites } from '../store/readsAfterWrites.ts';
import { createBootstrapKey } from './apiKeys/bootstrapKey.ts';
import { createAccountKeySource } from './apiKeys/keySource.ts';
import { createNoteUse, lastUsedAt } from './apiKeys/lastUse.ts';
import { createBootstrap } from './bootstrap.ts';
import type { WorkspaceDeps } from './deps.ts';
import { createBudget } from './directory/budget.ts';
import { createDirectory, type Directory, type WatchAccounts } from './directory/directory.ts';
import { createLookup } from './directory/lookup.ts';
import { createWorkspaceHandlers } from './handlers.ts';
import { takeBackLeftovers } from './invitations/leftovers.ts';
import { createInvitationDeliveries } from './invitations/mail/invitationDeliveries.ts';
import type { Mailer } from './invitations/mail/mailer.ts';
import type { SignIn } from './signIn.ts';

export interface AccountsOptions {
  kube: Store & ReflectorOptions<never>['kube'];
  reads: Pick<ReadsAfterWrites, 'follow'>;
  /** Learns who owns which workspace. */
  shares?: Pick<Shares, 'follow'>;
  /** The namespace of the service. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  /** `expiresAt`: RFC 3339, or empty. */
  bootstrapKey: { keyId: string; keySecret: string; expiresAt: string };
  /** Where users reach the service. */
  publicUrl: string;
  pepper: KeyObject;
  quota: WorkspaceDeps['quota'];
  cursors: Cursors;
  clock: Clock;
  log: Log;
  kubeMetrics?: KubeMetrics;
  budgets?: Pick<BudgetMetrics, 'refused'>;
}

/** What features add to the Workspace API. */
export interface WorkspaceParts {
  signIn: SignIn | undefined;
  /** Absent without a mail server. */
  mailer: Mailer | undefined;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Everything for accounts: API keys and the Workspace API. Nothing is started yet. */
export function createAccounts(options: AccountsOptions) {
  const { kube, namespace, defaultWorkspace, clock, log } = options;
  const budget = createBudget(clock, options.budgets ?? noBudgetMetrics);
  const caches: Background[] = [];
  const watch = createWatch({ ...options, budget, caches });
  const directory = createDirectory(watch);
  options.shares?.follow((name) => directory.workspaces.cached(workspaceIdOf(name, defaultWorkspace)));
  const deps: WorkspaceDeps = { ...options, directory, budget, ...createKeys(options, directory) };
  return {
    deps,
    watch,
    /** The Workspace API, with what features add to it. */
    serve: ({ signIn, mailer }: WorkspaceParts) => ({
      handlers: createWorkspaceHandlers({ ...deps, signIn, hasMail: mailer !== undefined }),
      /** Mails invitations. */
      deliveries: mailer ? [createInvitationDeliveries({ ...options, directory, mailer })] : [],
    }),
    /** What has to be done now and then: interrupted acceptances may have left memberships. */
    takeBackLeftovers: () => takeBackLeftovers(deps),
    users: directory.users,
    /** The uid of a workspace's object. */
    uidOf: (workspaceId: string) => directory.workspaces.cached(workspaceId)?.metadata.uid,
    names: namesIn(directory),
    caches,
    /** Creates the initial objects of an installation. */
    bootstrap: createBootstrap({ kube, namespace, defaultWorkspaceId: defaultWorkspace.id, clock, log }),
  };
}

interface WatchOptions extends AccountsOptions, Pick<WorkspaceDeps, 'budget'> {
  caches: Background[];
}

function createWatch({ reads, budget, caches, kubeMetrics, ...options }: WatchOptions): WatchAccounts {
  const { kube, namespace, clock, log } = options;
  return (type) => {
    const reflector = createReflector({ kube, clock, log, ...compact({ kubeMetrics }), type, namespace });
    reads.follow(reflector, 'always');
    caches.push(reflector);
    return createLookup({ kube, reflector, type, namespace, clock, budget });
  };
}

/** Where API keys are looked up. */
function createKeys(
  options: AccountsOptions,
  directory: Directory,
): Pick<WorkspaceDeps, 'bootstrapKey' | 'keys'> {
  const { pepper, defaultWorkspace, clock } = options;
  const { keyId, expiresAt } = options.bootstrapKey;
  const initial = createBootstrapKeySource({ ...options.bootstrapKey, pepper, workspace: defaultWorkspace });
  const common = { ...options, directory };
  const bootstrapKey = createBootstrapKey({ ...common, keyId, expiresAt, initial });
  const keys = createAccountKeySource({
    directory,
    defaultWorkspace,
    clock,
    bootstrap: bootstrapKey.source,
    noteUse: createNoteUse(common, { ...lastUsedAt, type: apiKeyType, onGone: directory.apiKeys.forget }),
  });
  return { bootstrapKey, keys };
}

/** What is known of accounts without asking the cluster. */
function namesIn({ apiKeys, users }: Directory) {
  return {
    keyNameOf: (id: string) => apiKeys.cached(id)?.spec.name,
    userNameOf(id: string) {
      const { name, email } = users.cached(id)?.spec ?? {};
      return name ?? email;
    },
  };
}
