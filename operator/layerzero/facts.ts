import type { LayerZeroStatus } from '../../core/api/resources/layerZero.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { DesiredStatus, LifecycleContext, LifecycleFacts } from '../network/lifecycle/context.ts';
import type { Check, Outcome } from '../network/lifecycle/lifecycle.ts';

/** A member as the spec names it, and the network of that name in the workspace. */
export interface NamedMember {
  name: string;
  eid?: number;
  network: Stored<NetworkResource> | undefined;
}

/** A member as the status describes it. */
export type KnownMember = LayerZeroStatus['members'][number];

/** All that is known of a LayerZero network when its next step is decided. */
export interface LayerZeroFacts extends LifecycleFacts {
  members: readonly NamedMember[];
  memory: Memory;
}

/** What runs on the chains have found since this operator leads. */
export interface Memory {
  /** By `scope` of a member. */
  endpoints: Map<string, Endpoint>;
  /** Whether the chain that an endpoint was deployed on is still there, by `unverifiedKey`. */
  verified: Map<string, 'current' | 'gone'>;
  /** How the last run ended. */
  outcome?: RunOutcome;
}

export interface Endpoint {
  endpoint: string;
  messageLib: string;
}

export interface RunOutcome {
  /** Of the order that was run. */
  key: string;
  state: 'done' | 'retry' | 'failed';
  message?: string;
}

/** A member whose chain runs, as the steps and the relay need it. */
export interface MemberEndpoint {
  name: string;
  /** uid of the member. */
  id: string;
  eid: number;
  /** status.enclaveID of the member now. */
  enclaveID: string;
  /** … and when its endpoint was deployed. */
  incarnation: string;
  /** Tells the endpoints of a LayerZero network on one member apart: another one is deployed again. */
  deployment: string;
  endpoint?: string;
  messageLib?: string;
}

/** What a run has to do on the chains. */
export interface WireOrder {
  /** Changes with whatever is to be done. */
  key: string;
  endpoints: readonly MemberEndpoint[];
  /** By uids of members. */
  connections: readonly { from: string; to: string }[];
  /** Members of which it is not known whether they kept the chain with their endpoint. */
  unverified: readonly UnverifiedChain[];
  /** All is read back, whatever is known of it. */
  isCheck: boolean;
}

export interface UnverifiedChain {
  id: string;
  /** status.enclaveID of the member now. */
  enclaveID: string;
  incarnation: string;
  deployment: string;
}

export const unverifiedKey = ({ id, incarnation, enclaveID }: Omit<UnverifiedChain, 'deployment'>) =>
  `${id}/${incarnation}/${enclaveID}`;

/** What keeps a member from taking part. `isPassing`: it may come right without a change by the user. */
export interface MemberBlocker {
  reason: string;
  message: string;
  isPassing: boolean;
}

/** What is there on the chains of the members that run, and what there is to do. */
export interface Wiring {
  blockers: readonly MemberBlocker[];
  endpoints: readonly MemberEndpoint[];
  /** For the status. */
  known: LayerZeroStatus;
  order: WireOrder;
  /** Nothing is to be done among the members that run. */
  isSettled: boolean;
  /** All members are connected. */
  isWired: boolean;
  /** Of the last run, when it was this order's. */
  outcome: RunOutcome | undefined;
}

export interface LayerZeroContext extends LifecycleContext<LayerZeroFacts> {
  wiring(): Wiring;
}

interface Actions {
  /** Stopped members that are to be woken, with the value of their wake annotation. */
  wakes: { network: Stored<NetworkResource>; value: string }[];
  /** Undefined: there is nothing to do on the chains. */
  order?: WireOrder;
  /** Connections whose messages are delivered. */
  routes: { from: MemberEndpoint; to: MemberEndpoint }[];
}

export type LayerZeroOutcome = Outcome & Partial<Actions>;
export type LayerZeroCheck = Check<LayerZeroContext, LayerZeroOutcome>;

export interface LayerZeroDecision extends Outcome, Actions {
  status: DesiredStatus;
}
