import type { Installation } from '../../../core/api/installation.ts';
import type { KubeObject } from '../../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { ChainDriver, ReadinessCall } from '../../../core/chains/driver.ts';
import type { SystemContracts } from '../../../core/chains/systemContracts.ts';
import type { Pod } from '../../../core/kube/types.ts';

/**
 * A reference to a secret, resolved to what the network needs of it: addresses, never its bytes. Of a mnemonic also the
 * key that stands above those of all validators and above none of the accounts'.
 */
export type ResolvedReference =
  | { kind: 'addresses'; addresses: string[]; validatorKey?: string }
  | { kind: 'missing'; message: string }
  | { kind: 'unusable'; message: string };

/** All that is known of a network when its next step is decided. */
export interface NetworkFacts {
  network: NetworkResource;
  /** Undefined when this version cannot run the chain type. */
  driver: ChainDriver | undefined;
  nowMs: number;
  hotKey: ResolvedReference | undefined;
  mnemonic: ResolvedReference | undefined;
  /** Of the default keys of the workspace's members. */
  memberAddresses?: readonly string[];
  /** The installation's source for forks of this chain type. */
  forkSource: string | undefined;
  /** Whether another network has the better right to a chain id. */
  isChainIdTaken: (chainId: string) => boolean;
  /** Engine pods that carry the network's label, ending ones as well. */
  pods: readonly Pod[];
  /** Why the network cannot be persistent though it asks to be; undefined: it can, or does not ask. */
  quotaRefusal: string | undefined;
  /** Whether another idle stop may begin now. */
  isStopAllowed: boolean;
  installation: Installation;
  gatewayKey: Uint8Array;
  systemContracts: SystemContracts;
  /** Whether the engine answers the plan's readiness call, when it was asked. */
  hasAnswered?: boolean;
}

/** What the life of any network depends on. */
export type LifecycleFacts = Pick<
  NetworkFacts,
  'network' | 'nowMs' | 'quotaRefusal' | 'isStopAllowed' | 'installation'
>;

/** What is to be: the children that shall exist, the status that tells of it, and when to look again. */
export interface Decision {
  /** Undefined: leave the children as they are. Empty: none shall exist. */
  children: KubeObject[] | undefined;
  status: DesiredStatus;
  /** Pods whose engine is to be restarted, for the maintenance request of this nonce. */
  restart?: { pods: Pod[]; nonce: number };
  requeueAfterMs?: number;
  /** The next step depends on what the engine answers to it. */
  question?: ReadinessCall;
}

/** The part of the status that the operator decides; `lastActivityAt` belongs to those who see activity. */
export type DesiredStatus = Omit<NonNullable<NetworkResource['status']>, 'lastActivityAt'>;
