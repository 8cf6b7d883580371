import type { KeyObject } from 'node:crypto';
import { type DefaultWorkspace, workspaceIdOf } from '../../core/accounts/ids.ts';
import type { Sealer } from '../../core/accounts/seal.ts';
import type { Shares } from '../../core/accounts/shares/shares.ts';
import { apiKeyType, sessionType } from '../../core/api/resources/resources.ts';
import type { ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { KubeMetrics } from '../../core/kube/metrics.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import { type Authenticate, createAuthenticate } from '../http/auth/auth.ts';
import { createSessionCookies } from '../http/auth/cookies.ts';
import { createBootstrapKeySource } from '../http/auth/keySource.ts';
import { type BudgetMetrics, noBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import type { RateLimit } from '../http/limits/rateLimit.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import { isPlainHttp } from '../plainHttp.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { ReadsAfterWrites } from '../store/readsAfterWrites.ts';
import { createBootstrapKey } from './apiKeys/bootstrapKey.ts';
import { createAccountKeySource } from './apiKeys/keySource.ts';
import { createNoteUse } from './apiKeys/lastUse.ts';
import { createBootstrap } from './bootstrap.ts';
import type { WorkspaceDeps } from './deps.ts';
import { createDeviceLimits } from './device/limits.ts';
import { createBudget } from './directory/budget.ts';
import { createAccountCaches, createDirectory, type Directory } from './directory/directory.ts';
import { createWorkspaceHandlers } from './handlers.ts';
import { createSignInDeps, type SignInSettings } from './identities/signInDeps.ts';
import { createInvitationDeliveries } from './invitations/deliveries.ts';
import { takeBackLeftovers } from './invitations/leftovers.ts';
import { createPasswordHasher } from './passwords/hasher.ts';
import { createSessionSource } from './sessions/sessionSource.ts';
import { createGuesses } from './signIn/attempts.ts';
import { createChallenges } from './signIn/challenges.ts';
import { createRelyingParty } from './signIn/relyingParty.ts';

export interface AccountsOptions {
  kube: Store & ReflectorOptions<never>['kube'];
  reads: Pick<ReadsAfterWrites, 'follow' | 'catchUp'>;
  /** Learns who owns which workspace. */
  shares?: Pick<Shares, 'follow'>;
  /** The namespace of the service. */
  namespace: string;
  defaultWorkspace: DefaultWorkspace;
  /** `expiresAt`: RFC 3339, or empty. */
  bootstrapKey: { keyId: string; keySecret: string; expiresAt: string };
  /** Where users reach the service. */
  publicUrl: string;
  /** The limit of an account, which signing in counts for, too. */
  rate?: RateLimit;
  pepper: KeyObject;
  sealer: Sealer;
  /** What people sign in with elsewhere. */
  signIn: SignInSettings;
  quota: WorkspaceDeps['quota'];
  cursors: Cursors;
  clock: Clock;
  log: Log;
  kubeMetrics?: KubeMetrics;
  budgets?: Pick<BudgetMetrics, 'refused'>;
}

const lastUse = {
  read: ({ status }: { status?: { lastUsedAt?: string | undefined } }) => status?.lastUsedAt,
  statusOf: (lastUsedAt: string) => ({ lastUsedAt }),
};

export type Accounts = ReturnType<typeof createAccounts>;

/** Everything for accounts: authentication and the Workspace API. Nothing is started yet. */
export function createAccounts(options: AccountsOptions) {
  const { kube, reads, namespace, defaultWorkspace, pepper, clock, log, kubeMetrics } = options;
  const reading = { kube, clock, log, ...compact({ kubeMetrics }) };
  const caches = createAccountCaches(reading, namespace);
  for (const cache of Object.values(caches)) reads.follow(cache, 'always');
  const budget = createBudget(clock, options.budgets ?? noBudgetMetrics);
  const directory = createDirectory({ kube, caches, namespace, clock, budget });
  options.shares?.follow((name) => directory.workspaces.cached(workspaceIdOf(name, defaultWorkspace)));
  const { bootstrapKey, ...credentials } = createCredentials(options, directory);
  const cookies = isPlainHttp(options.publicUrl) ? undefined : createSessionCookies(options.publicUrl);
  const authenticate = createAuthenticate({
    ...credentials,
    cookies,
    pepper,
    catchUp: reads.catchUp,
    ...compact({ limit: options.rate }),
  });
  const deps: WorkspaceDeps = {
    ...options,
    bootstrapKey,
    directory,
    budget,
    cookies,
    keys: credentials.keys,
    keyHolder: keyHolderBy(authenticate),
    ...createSignInDeps(options),
    ...createWays(options),
  };
  return {
    credentials,
    cookies,
    authenticate,
    handlers: createWorkspaceHandlers(deps),
    /** What has to be done now and then: interrupted acceptances may have left memberships. */
    takeBackLeftovers: () => takeBackLeftovers(deps),
    users: directory.users,
    names: namesIn(directory),
    /** Mails invitations; undefined without a mail server. */
    deliveries: createInvitationDeliveries({ ...options, directory }),
    caches: Object.values(caches),
    /** Creates the initial objects of an installation. */
    bootstrap: createBootstrap({ kube, namespace, defaultWorkspaceId: defaultWorkspace.id, clock, log }),
  };
}

/** Where the credentials of a request are looked up: API keys and sessions. */
function createCredentials(options: AccountsOptions, directory: Directory) {
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
    noteUse: createNoteUse(common, { ...lastUse, type: apiKeyType, onGone: directory.apiKeys.forget }),
  });
  const sessions = createSessionSource({
    directory,
    defaultWorkspace,
    clock,
    keys,
    noteUse: createNoteUse(common, { ...lastUse, type: sessionType, onGone: directory.sessions.forget }),
  });
  return { bootstrapKey, keys, sessions };
}

const keyHolderBy = (authenticate: Authenticate) => async (token: string) => {
  const caller = await authenticate.caller({ headers: { authorization: `Bearer ${token}` } });
  return caller.confirm([]);
};

/** What the ways to sign in need. */
function createWays({ publicUrl, pepper, clock, budgets = noBudgetMetrics }: AccountsOptions) {
  return {
    relyingParty: createRelyingParty(publicUrl),
    challenges: createChallenges({ pepper, clock }),
    hasher: createPasswordHasher({ pepper, clock, budgets }),
    deviceLimits: createDeviceLimits(clock),
    attempts: createGuesses(clock, 'too many wrong passwords: wait, or sign in another way'),
  };
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
