import { encodeCall, type FunctionCall } from '../evm/contractCalls.ts';
import { compact } from '../lib/compact.ts';
import type { TokenContract } from './artifacts.ts';
import type {
  CallStep,
  CreateStep,
  DeployNetwork,
  InspectStep,
  Known,
  Read,
  Signer,
  StepId,
} from './step.ts';

export const stepId = (network: { id: string }, name: string): StepId => `${network.id}/${name}`;

/** What steps have in common: their network, the scope of their idempotency keys, and the signer. */
export interface StepOwner {
  network: DeployNetwork;
  scope: string;
  signer: Signer;
}

/** Identifies a deployment of a token on a chain: contracts wired to another one must be wired again. */
export function deploymentIncarnationOf({ incarnation, deployment }: DeployNetwork): string {
  return deployment ? `${incarnation}.${deployment}` : incarnation;
}

/** Steps of one token, signed by its deployer. */
export function ownSteps(plan: { id: string }, network: DeployNetwork): StepOwner {
  return {
    network,
    scope: `token/${plan.id}/${network.id}/${deploymentIncarnationOf(network)}`,
    signer: 'deployer',
  };
}

/** Steps that all tokens on a network share, signed by the service. `kind` names what they create. */
export function sharedSteps(kind: string, network: DeployNetwork): StepOwner {
  return { network, scope: `${kind}/${network.id}/${network.incarnation}`, signer: 'service' };
}

interface CreateInput {
  name: string;
  title: string;
  contract: TokenContract;
  after?: readonly StepId[];
  /** The constructor's arguments. Undefined when no contract is needed. */
  args?(known: Known): unknown[] | undefined;
  explain?: CreateStep['explain'];
}

export function create(
  owner: StepOwner,
  { contract, args, after = [], explain, ...rest }: CreateInput,
): CreateStep {
  return {
    kind: 'create',
    network: owner.network.id,
    scope: owner.scope,
    signer: owner.signer,
    after,
    ...rest,
    ...compact({ explain }),
    initCode(known) {
      const values = args ? args(known) : [];
      return values && `${contract.bytecode}${contract.abi.encodeDeploy(values).slice(2)}`;
    },
  };
}

interface CallInput {
  name: string;
  title: string;
  after?: readonly StepId[];
  call(known: Known): FunctionCall | undefined;
  reads(known: Known): Read[];
}

export function call(owner: StepOwner, { call: callOf, after = [], ...rest }: CallInput): CallStep {
  return {
    kind: 'call',
    network: owner.network.id,
    scope: owner.scope,
    signer: owner.signer,
    after,
    ...rest,
    transaction(known) {
      const found = callOf(known);
      return found && { to: found.to, data: encodeCall(found) };
    },
  };
}

export function inspect(
  network: DeployNetwork,
  input: Omit<InspectStep, 'kind' | 'network' | 'after'> & { after?: readonly StepId[] },
): InspectStep {
  return { kind: 'inspect', network: network.id, after: [], ...input };
}

/** Each ordered pair of different networks. */
export function pairsOf<T>(networks: readonly T[]): [T, T][] {
  return networks.flatMap((from) => networks.filter((to) => to !== from).map((to): [T, T] => [from, to]));
}
