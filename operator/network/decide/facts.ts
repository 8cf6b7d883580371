import type { ChainDriver, ReadinessCall } from '../../../core/chains/driver.ts';
import type { SystemContracts } from '../../../core/chains/systemContracts.ts';
import type { Pod } from '../../../core/kube/types.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from '../lifecycle/context.ts';
import type { Check, Outcome } from '../lifecycle/lifecycle.ts';
import type { RenderInput } from '../render/childNames.ts';

/**
 * A reference to a secret, resolved to what the network needs of it: addresses, never its bytes. Of a mnemonic also the
 * key that stands above those of all validators and above none of the accounts'.
 */
export type ResolvedReference =
  | { kind: 'addresses'; addresses: string[]; validatorKey?: string }
  | { kind: 'missing'; message: string }
  | { kind: 'unusable'; message: string };

/** All that is known of a network when its next step is decided. */
export interface NetworkFacts extends LifecycleFacts {
  driver: ChainDriver;
  hotKey: ResolvedReference | undefined;
  mnemonic: ResolvedReference | undefined;
  /** Of the default keys of the workspace's members. */
  memberAddresses?: readonly string[];
  /** The installation's source for forks of this chain type. */
  forkSource: string | undefined;
  /** The chain id that the spec names. */
  namedChainId: string | undefined;
  /** Whether another network has the better right to a chain id. */
  isChainIdTaken: (chainId: string) => boolean;
  /** Engine pods that carry the network's label, ending ones as well. */
  pods: readonly Pod[];
  gatewayKey: Uint8Array;
  systemContracts: SystemContracts;
  /** Whether the engine answers the plan's readiness call, when it was asked. */
  hasAnswered?: boolean;
}

/** What the network's engines are to be. */
export interface PlannedNetwork extends RenderInput {
  /** With the time of the genesis, once that is fixed. */
  facts: NetworkFacts;
  chainId: string;
  /** When the present incarnation of the chain begins, in seconds since 1970; undefined before its preparation is over. */
  genesisTime: number | undefined;
  /** Which accounts have funds from the first block on, in words. */
  accounts: string;
}

export interface NetworkContext extends LifecycleContext<NetworkFacts> {
  /** The present incarnation of the network, and its pods. */
  incarnation: string;
  engines: Pod[];
  /** For checks that come after all blockers: nothing can be planned before. */
  planned(): PlannedNetwork;
}

export interface NetworkOutcome extends Outcome {
  /** Pods whose engine is to be restarted, for the maintenance request of this nonce. */
  restart?: { pods: Pod[]; nonce: number };
  /** The next step depends on what the engine answers to it. */
  readinessCall?: ReadinessCall;
}

export type NetworkCheck = Check<NetworkContext, NetworkOutcome>;

export interface Decision extends NetworkOutcome {
  status: DesiredStatus;
}
