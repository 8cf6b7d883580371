import type { LayerZeroStatus } from '../../core/api/resources/layerZero.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Anchor } from '../../core/deploy/anchor.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from '../network/lifecycle/context.ts';
import type { Check, Outcome } from '../network/lifecycle/lifecycle.ts';

/** A member in the spec, and the network with that name in the workspace. */
export interface NamedMember {
  name: string;
  eid?: number;
  network: Stored<NetworkResource> | undefined;
}

/** A member in the status. */
export type KnownMember = LayerZeroStatus['members'][number];

/** All observed facts about a LayerZero network that a decision depends on. */
export interface LayerZeroFacts extends LifecycleFacts {
  members: readonly NamedMember[];
  memory: Memory;
}

/** Results of the runs on the chains in this term of leadership. */
export interface Memory {
  /** By `scopeOf` of a member. */
  endpoints: Map<string, Endpoint>;
  /** Whether the chain that an endpoint was deployed on still exists, by `unverifiedKey`. */
  verified: Map<string, 'current' | 'gone'>;
  /** Outcome of the last run. */
  outcome?: RunOutcome;
}

export interface Endpoint {
  endpoint: string;
  messageLib: string;
  /** The newest block with a transaction of the member's steps, once all of them are done. */
  anchor?: Anchor;
}

export interface RunOutcome {
  /** Key of the order that was run. */
  key: string;
  state: 'done' | 'retry' | 'failed';
  message?: string;
  /** Whether a chain no longer had its anchor: what was verified before with members that are away is not known any more. */
  isRolledBack?: boolean;
  /** Runs of this order that failed before. */
  failures?: number;
}

/** A running member, with what the steps and the relay need. */
export interface MemberEndpoint {
  name: string;
  /** The member's id. */
  id: string;
  eid: number;
  /** The member's current status.enclaveID. */
  enclaveID: string;
  /** The member's status.enclaveID when its endpoint was deployed. */
  incarnation: string;
  /** Distinguishes successive endpoints on the same member. A new value means a new deployment. */
  deployment: string;
  endpoint?: string;
  messageLib?: string;
  anchor?: Anchor;
}

/** The work of a run on the chains. */
export interface WireOrder {
  /** Changes with the work. */
  key: string;
  endpoints: readonly MemberEndpoint[];
  /** Ids of members. */
  connections: readonly { from: string; to: string }[];
  /** Members that may have lost the chain with their endpoint. */
  unverified: readonly UnverifiedChain[];
  /** Whether to verify everything on the chains, even if it is known to be done. */
  isCheck: boolean;
}

export interface UnverifiedChain {
  id: string;
  /** The member's current status.enclaveID. */
  enclaveID: string;
  incarnation: string;
  deployment: string;
}

export const unverifiedKey = ({ id, incarnation, enclaveID }: Omit<UnverifiedChain, 'deployment'>) =>
  `${id}/${incarnation}/${enclaveID}`;

/** Why a member cannot be connected. `isPassing`: it may resolve without a change by the user. */
export interface MemberBlocker {
  reason: string;
  message: string;
  isPassing: boolean;
}

/** What exists on the chains of the running members, and what remains to be done. */
export interface Wiring {
  blockers: readonly MemberBlocker[];
  endpoints: readonly MemberEndpoint[];
  /** For the status. */
  known: LayerZeroStatus;
  order: WireOrder;
  /** Whether nothing remains to be done between the running members. */
  isSettled: boolean;
  /** Whether all members are connected. */
  isWired: boolean;
  /** Outcome of the last run, if it ran this order. */
  outcome: RunOutcome | undefined;
}

export interface LayerZeroContext extends LifecycleContext<LayerZeroFacts> {
  wiring(): Wiring;
}

interface Actions {
  /** Stopped members to wake, with the value of the wake annotation. */
  wakes: { network: Stored<NetworkResource>; value: string }[];
  /** Undefined if there is nothing to do on the chains. */
  order?: WireOrder;
  /**
   * What was done on the chains, if nothing remains to be done: it is checked now and then, because chains can be rolled back.
   */
  settled?: WireOrder;
  /** Connections on which messages are delivered. */
  routes: { from: MemberEndpoint; to: MemberEndpoint }[];
}

export type LayerZeroOutcome = Outcome & Partial<Actions>;
export type LayerZeroCheck = Check<LayerZeroContext, LayerZeroOutcome>;

export interface LayerZeroDecision extends Outcome, Actions {
  status: DesiredStatus;
}
