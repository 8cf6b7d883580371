import type { Keyring } from '../core/accounts/keyring.ts';
import type { Sealer } from '../core/accounts/seal.ts';
import type { Installation } from '../core/api/installation.ts';
import type { NamespacedObject, ResourceType } from '../core/api/resources/kubeObject.ts';
import type { Clock } from '../core/lib/clock.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics, MetricTable } from '../core/lib/metrics.ts';
import type { Traffic } from '../core/networks/traffic.ts';
import type { StorageLedger } from '../core/storage/ledger.ts';
import type { Background } from './background.ts';
import type { CountedBudget } from './budget.ts';
import type { FindContract, ListContracts } from './contracts.ts';
import type { AccessWatch } from './events/accessWatch.ts';
import type { ObserveCalls } from './gateway/calls/observed.ts';
import type { NamedKeys, UpstreamLookup } from './gateway/deps.ts';
import type { AnswerOwn } from './gateway/ownService.ts';
import type { AuditedRequest } from './http/auth/audit.ts';
import type { CallerLimits } from './http/limits/callerLimits.ts';
import type { Cursors } from './http/paging/cursor.ts';
import type { Handlers } from './http/pipeline/handler.ts';
import type { AnswerReplica } from './replicas/answerReplicas.ts';
import type { AskReplicas } from './replicas/askReplicas.ts';
import type { KeepsSecret } from './secrets/deps.ts';
import type { Caches } from './store/caches.ts';
import type { Store } from './store/kubeErrors.ts';
import type { ReadsAfterWrites } from './store/readsAfterWrites.ts';
import type { StoredKind, StoredKinds } from './store/storedKinds.ts';
import type { Transactions } from './transactions/transactions.ts';
import type { Accounts } from './workspaces/accounts.ts';
import type { WorkspaceDeps } from './workspaces/deps.ts';
import type { WatchAccounts } from './workspaces/directory/directory.ts';
import type { Mailer } from './workspaces/invitations/mail/mailer.ts';
import type { SignIn } from './workspaces/signIn.ts';

/** What the API server gives to features. */
export interface Surroundings {
  installation: Installation;
  /** Of the service. */
  namespace: string;
  kube: Store;
  caches: Pick<Caches, 'networks'>;
  kinds: StoredKinds;
  /** Watches a kind of the feature's own. */
  watch<T extends NamespacedObject>(type: ResourceType<T>): StoredKind<T>;
  reads: Pick<ReadsAfterWrites, 'catchUp'>;
  transactions: Transactions;
  /** What is known of users, workspaces and API keys. */
  accounts: WorkspaceDeps;
  watchAccounts: WatchAccounts;
  /** A secret of the installation, as it is now: a file that the chart mounts. Throws Unavailable while it is not there. */
  readSecret(name: string): string;
  /** Names of users and keys that are known without asking the cluster. */
  names: Accounts['names'];
  /** Tells who asks for it what callers cause. */
  traffic: Pick<Traffic, 'countWith'>;
  /** What workspaces store. */
  storage: Pick<StorageLedger, 'usedIn'>;
  /** What features know of a contract. */
  findContract: FindContract;
  /** The contracts that features know. */
  listContracts: ListContracts;
  /** The folder of the contracts that come with the installation. */
  contracts: string;
  upstreams: UpstreamLookup;
  /** Asks what only the memory of other replicas has. */
  askReplicas: AskReplicas;
  /** Ends streams whose callers have lost access. */
  access: AccessWatch;
  /** The budgets of all features. */
  budgets: readonly CountedBudget[];
  cursors: Cursors;
  /** What makes the keys in URLs. */
  accessKeys: Keyring;
  sealer: Sealer;
  limits: CallerLimits;
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

/** What a feature adds to the API server. */
interface ServerParts<Own extends Handlers> {
  handlers: Own;
  /** Whether it needs a secret that somebody wants to delete. */
  keepsSecret?: KeepsSecret;
  /** Answers services of networks, by their names. */
  ownServices?: Readonly<Record<string, AnswerOwn>>;
  /** How people sign in without an API key. */
  signIn?: SignIn;
  /** Mails invitations. */
  mailer?: Mailer;
  /** Opens networks with keys that have names. */
  namedKeys?: NamedKeys;
  /** Gets the calls of users to networks. */
  observeCalls?: ObserveCalls;
  /** Answers other replicas, by topic. */
  answersReplicas?: Readonly<Record<string, AnswerReplica>>;
  /** What it knows of a contract. */
  findContract?: FindContract;
  /** The contracts that it knows. */
  listContracts?: ListContracts;
  /** What a workspace may have of it. */
  budgets?: readonly CountedBudget[];
  /** What runs beside requests. */
  steps?: readonly Background[];
  /** Writes what its steps would write later. */
  flush?(): Promise<void>;
  /** Ends what goes on after the first answer. */
  endStreams?(): void;
  /** Closes its connections. */
  close?(): Promise<void>;
  /** Takes each request that is audited. Never throws, and nobody waits for it. */
  note?(request: AuditedRequest): void;
}

/** It is exported as `feature` by the server/feature.ts of its folder. */
export interface ServerFeature<Own extends Handlers> {
  metrics?: readonly MetricTable[];
  create(surroundings: Surroundings): ServerParts<Own>;
}

export function defineServerFeature<Own extends Handlers>(feature: ServerFeature<Own>): ServerFeature<Own> {
  return feature;
}
