import type { Keyring } from '../../../core/accounts/keyring.ts';
import type { OwnSource } from '../../../core/accounts/ownSources.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import type { EnginePlan, HeadCall, ReadinessCall } from '../../../core/chains/driver.ts';
import type { SystemContracts } from '../../../core/chains/systemContracts.ts';
import type { EngineSet } from '../../../core/engines/engineSet.ts';
import type { ConfigMap, PersistentVolumeClaim, Pod } from '../../../core/kube/types.ts';
import type { ExtendedDriver, ExtendedPlan, PluginPlans } from '../../../core/plugins/extendPlan.ts';
import type { Launch } from '../../warm/adopted.ts';
import type { LaunchOutcome, Question } from '../../warm/launcher.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from '../lifecycle/context.ts';
import type { Check, Outcome } from '../lifecycle/lifecycle.ts';
import type { RenderInput } from '../render/childNames.ts';
import type { ResolvedSnapshot } from '../snapshot.ts';

/**
 * A secret reference, resolved to what the network needs: addresses, never the secret's bytes. A mnemonic also yields
 * the parent key of all validator keys, from which no account key can be derived.
 */
export type ResolvedReference =
  | { kind: 'addresses'; addresses: string[]; validatorKey?: string }
  | { kind: 'missing'; message: string }
  | { kind: 'unusable'; message: string };

/** `isPassing`: it was not even asked, because others are asking. */
export type ForkHead = { block: number } | { problem: string; isPassing?: boolean };

/** All observed facts about a network that a decision depends on. */
export interface NetworkFacts extends LifecycleFacts {
  /** The engines of the installation. */
  engineSet: EngineSet;
  driver: ExtendedDriver;
  hotKey: ResolvedReference | undefined;
  mnemonic: ResolvedReference | undefined;
  /** Addresses of the default keys of the workspace's members. */
  memberAddresses?: readonly string[];
  /** Where its engine reads what it forks; undefined if there is no source for it. */
  forkSource: string | undefined;
  /** Why the source that the network names must not be used. */
  forkRefusal?: Extract<OwnSource, { refusal: string }>;
  /** The latest block there, or why it cannot be read; undefined if it was not asked for. */
  forkHead?: ForkHead;
  /** The snapshot that spec.from names. */
  snapshot?: ResolvedSnapshot | undefined;
  /** The chain id in the spec. */
  namedChainId: string | undefined;
  /** Whether another network has precedence for a chain id. */
  isChainIdTaken: (chainId: string) => boolean;
  /** Engine pods with the network's label, including terminating ones. */
  pods: readonly Pod[];
  /** The network's volumes, of all its incarnations. */
  volumeClaims?: readonly PersistentVolumeClaim[];
  /** The network's files, of all its incarnations. */
  files?: readonly ConfigMap[];
  /** The installation's keys for the URLs of networks, and for the secrets that engines share. */
  accessKeys: Keyring;
  engineKeys: Keyring;
  systemContracts: SystemContracts;
  /** The chain id that the engine claims; undefined if it has not answered. */
  claimedChainId?: string | undefined;
  /** The id of the process behind the service `rpc`; undefined if it was not asked, or has not answered. */
  process?: string | undefined;
  /** Whether the engine answered the plan's readiness call; undefined if it was not called. */
  hasAnswered?: boolean;
  /** How far an adopted pod has become the engine; undefined if it was not asked. */
  launched?: LaunchOutcome;
  /** Whether the engine has taken over changed values; undefined if it was not called. */
  hasAdjusted?: boolean;
  /** When the last transaction was accepted that the engine's process acknowledged and whose outcome is not stored. */
  lastUnjudgedMs?: number | undefined;
  /** The last known block of the chain in the status. */
  lastBlock?: number | undefined;
  /** Why the cluster refused the children at the last attempt. */
  refusedRights?: string | undefined;
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
  /** With these calls, the running engine takes over changed values. The next decision depends on their success. */
  adjust?: NonNullable<EnginePlan['settings']>;
  /** Where a process answers whose id the next decision depends on. */
  processUrl?: string;
  /** The next decision depends on the engine's answer to this call. */
  readinessCall?: ReadinessCall;
  /** The services of its peers: an engine is ready once it has the same blocks as they have. */
  peers?: readonly string[];
  /** The chain that ends has been lost, so that its engines can no longer say which block was its last. */
  isChainGone?: boolean;
  /** Adopted pods that must become engines with these plans. The next decision depends on their outcome. */
  launch?: { launches: Launch[]; question: Question };
  /** The plugins that run beside the chain; undefined while the network cannot be planned. */
  plugins?: PluginsOnChain | undefined;
  /** The next decision depends on the fork source's answer to this call. */
  forkHeadCall?: HeadCall;
}

export type NetworkCheck = Check<NetworkContext, NetworkOutcome>;

export interface Decision extends NetworkOutcome {
  status: DesiredStatus;
}
