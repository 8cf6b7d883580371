import type { Keyring } from '../../../core/accounts/keyring.ts';
import type { OwnSource } from '../../../core/accounts/ownSources.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import type { SystemContracts } from '../../../core/chains/systemContracts.ts';
import type { EngineSet } from '../../../core/engines/engineSet.ts';
import type { ConfigMap, PersistentVolumeClaim, Pod } from '../../../core/kube/types.ts';
import type { ExtendedDriver, ExtendedPlan, PluginPlans } from '../../../core/plugins/extendPlan.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from '../lifecycle/context.ts';
import type { Check, Outcome } from '../lifecycle/lifecycle.ts';
import type { RenderInput } from '../render/childNames.ts';
import type { ResolvedSnapshot } from '../snapshot.ts';
import type { Answers, Questions } from './questions.ts';

/**
 * A secret reference, resolved to what the network needs: addresses, never the secret's bytes. A mnemonic also yields
 * the parent key of all validator keys, from which no account key can be derived.
 */
export type ResolvedReference =
  | { kind: 'addresses'; addresses: string[]; validatorKey?: string }
  | { kind: 'missing'; message: string }
  | { kind: 'unusable'; message: string };

/** What the installation has, whatever the network. */
export interface InstallationFacts {
  /** The engines of the installation. */
  engineSet: EngineSet;
  /** Its keys for the URLs of networks, and for the secrets that engines share. */
  accessKeys: Keyring;
  engineKeys: Keyring;
  systemContracts: SystemContracts;
}

/** What the spec refers to: other objects of the workspace, and sources of forks. */
export interface ReferenceFacts {
  hotKey: ResolvedReference | undefined;
  mnemonic: ResolvedReference | undefined;
  /** Addresses of the default keys of the workspace's members. */
  memberAddresses?: readonly string[];
  /** Where its engine reads what it forks; undefined if there is no source for it. */
  forkSource: string | undefined;
  /** Why the source that the network names must not be used. */
  forkRefusal?: Extract<OwnSource, { refusal: string }>;
  /** The snapshot that spec.from names. */
  snapshot?: ResolvedSnapshot | undefined;
}

/** The children of the network, as the caches have them. */
export interface ChildFacts {
  /** Engine pods with the network's label, including terminating ones. */
  pods: readonly Pod[];
  /** The network's volumes, of all its incarnations. */
  volumeClaims?: readonly PersistentVolumeClaim[];
  /** The network's files, of all its incarnations. */
  files?: readonly ConfigMap[];
}

/** What other networks have, and this one may not take. */
export interface ChainIdFacts {
  /** The chain id in the spec. */
  namedChainId: string | undefined;
  /** Whether another network of the workspace has precedence for a chain id. */
  isChainIdTaken: (chainId: string) => boolean;
  /** Whether any other network in the installation names or has a chain id. */
  isChainIdUsed: (chainId: string) => boolean;
}

/** What the operator remembers of the network's engines. */
export interface RememberedFacts {
  /** The chain id that the engine claims; undefined if it has not answered. */
  claimedChainId?: string | undefined;
  /** When the last transaction was accepted that the engine's process acknowledged and whose outcome is not stored. */
  lastUnsettledMs?: number | undefined;
  /** The last known block of the chain in the status. */
  lastBlock?: number | undefined;
  /** Why the cluster refused the children at the last attempt. */
  refusedRights?: string | undefined;
}

/** All observed facts about a network that a decision depends on, by who provides them. */
export interface NetworkFacts
  extends LifecycleFacts,
    InstallationFacts,
    ReferenceFacts,
    ChainIdFacts,
    ChildFacts,
    RememberedFacts {
  driver: ExtendedDriver;
  /** What engines and fork sources have answered to the questions of the decision before. */
  answers: Answers;
}

/** The desired engines of a network. */
export interface PlannedNetwork extends RenderInput {
  plan: ExtendedPlan;
  /** With the genesis time, once that is fixed. */
  facts: NetworkFacts;
  chainId: string;
  /** Genesis time of the current incarnation in Unix seconds; undefined until its preparation is over. */
  genesisTime: number | undefined;
  /** The block that it forks, once that is fixed. */
  fork: NetworkStatus['fork'];
  /** A description of the accounts that are funded at genesis. */
  accounts: string;
}

export interface NetworkContext extends LifecycleContext<NetworkFacts> {
  /** The current incarnation of the network, and the pods that run its chain. */
  incarnation: string;
  engines: Pod[];
  /** The pods of its plugins that work with the current chain. */
  pluginPods: Pod[];
  /** Only for checks after all blockers: a blocked network cannot be planned. */
  planned(): PlannedNetwork;
}

/** The plugins beside a chain. */
export interface PluginsOnChain extends PluginPlans {
  /** Of the chain that they work with, as `pluginIncarnationOf` names it. */
  incarnation: string;
}

export interface NetworkOutcome extends Outcome {
  /** Pods whose engine must be restarted for the maintenance request with this number. */
  restart?: { pods: Pod[]; number: number };
  /** Pods to delete, so that they are created again. */
  replace?: Pod[];
  /** What to find out before the next decision. */
  asks?: Partial<Questions> | undefined;
  /** The chain that ends has been lost, so that its engines can no longer say which block was its last. */
  isChainGone?: boolean;
  /** The plugins that run beside the chain; undefined while the network cannot be planned. */
  plugins?: PluginsOnChain | undefined;
}

export type NetworkCheck = Check<NetworkContext, NetworkOutcome>;

export interface Decision extends NetworkOutcome {
  status: DesiredStatus;
}
