import type { TokenContracts } from '../../deploy/artifacts.ts';
import { reads } from '../../deploy/reads.ts';
import { paidStep, payStep } from '../../deploy/serviceFunds.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { call, create, type StepOwner, stepId } from '../../deploy/steps.ts';
import { endpointStep, type LayerZeroMember, layerZeroScope, messageLibStep } from './members.ts';

export interface LayerZeroPlan {
  /** Id of the LayerZero network; each has its own endpoints on its members. */
  id: string;
  members: readonly LayerZeroMember[];
  /** Directed, by ids of members. */
  connections: readonly { from: string; to: string }[];
  /** Address of the account that owns the endpoints and delivers the packets. */
  service: string;
}

/**
 * EndpointV2 and SimpleMessageLib on each member, and its connections. SimpleMessageLib trusts one account for what was
 * sent, instead of a set of verifiers.
 */
export function layerZeroSteps(plan: LayerZeroPlan, contracts: TokenContracts): Step[] {
  const byId = new Map(plan.members.map((member) => [member.id, member]));
  return [
    ...plan.members.flatMap((member) => memberSteps(plan, member, contracts)),
    ...plan.connections.flatMap(({ from, to }) => {
      const [source, target] = [byId.get(from), byId.get(to)];
      if (!source || !target)
        throw new Error(`a connection of ${plan.id} names a network that is not a member`);
      return connectionSteps(plan, [source, target], contracts);
    }),
  ];
}

function ownerOf(plan: LayerZeroPlan, member: LayerZeroMember): StepOwner {
  const scope = layerZeroScope(plan, member);
  return { network: member, scope, signer: 'service' };
}

function memberSteps(plan: LayerZeroPlan, member: LayerZeroMember, contracts: TokenContracts): Step[] {
  const owner = ownerOf(plan, member);
  return [
    payStep(owner, plan.service),
    create(owner, {
      name: endpointStep,
      title: 'deploys the endpoint',
      contract: contracts.layerzero('Endpoint'),
      after: [paidStep(member)],
      args: () => [member.eid, plan.service],
    }),
    create(owner, {
      name: messageLibStep,
      title: 'deploys the message library',
      contract: contracts.layerzero('MessageLib'),
      after: [stepId(member, endpointStep)],
      args: (known) => [known.get(member.id, endpointStep), plan.service],
    }),
    registerStep(owner, contracts),
    callerStep(owner, plan.service, contracts),
  ];
}

const bothOf = (member: { id: string }) => [stepId(member, endpointStep), stepId(member, messageLibStep)];

function registerStep(owner: StepOwner, contracts: TokenContracts): Step {
  const { network } = owner;
  const { abi } = contracts.layerzero('Endpoint');
  const ofLib = (known: Known, name: string) => ({
    to: known.get(network.id, endpointStep),
    abi,
    name,
    args: [known.get(network.id, messageLibStep)],
  });
  return call(owner, {
    name: 'register-lib',
    title: 'registers the message library',
    after: bothOf(network),
    call: (known) => ofLib(known, 'registerLibrary'),
    reads: (known) => [reads(ofLib(known, 'isRegisteredLibrary'), true)],
  });
}

function callerStep(owner: StepOwner, service: string, contracts: TokenContracts): Step {
  const { network } = owner;
  const { abi } = contracts.layerzero('MessageLib');
  const to = (known: Known) => known.get(network.id, messageLibStep);
  return call(owner, {
    name: 'caller',
    title: 'lets only the relayer deliver packets',
    after: bothOf(network),
    call: (known) => ({ to: to(known), abi, name: 'setWhitelistCaller', args: [service] }),
    reads: (known) => [reads({ to: to(known), abi, name: 'whitelistCaller' }, service)],
  });
}

function connectionSteps(
  plan: LayerZeroPlan,
  [from, to]: [LayerZeroMember, LayerZeroMember],
  contracts: TokenContracts,
): Step[] {
  const { abi } = contracts.layerzero('Endpoint');
  const side = (member: LayerZeroMember, other: LayerZeroMember, direction: 'Send' | 'Receive'): Step =>
    call(ownerOf(plan, member), {
      name: `${direction.toLowerCase()}:${other.eid}`,
      title: direction === 'Send' ? `opens the route to ${other.id}` : `opens the route from ${other.id}`,
      after: [stepId(member, 'register-lib'), stepId(member, 'caller')],
      call: (known) => ({
        to: known.get(member.id, endpointStep),
        abi,
        name: `setDefault${direction}Library`,
        args: [other.eid, known.get(member.id, messageLibStep), ...(direction === 'Receive' ? [0] : [])],
      }),
      reads: (known) => [
        reads(
          {
            to: known.get(member.id, endpointStep),
            abi,
            name: `default${direction}Library`,
            args: [other.eid],
          },
          known.get(member.id, messageLibStep),
        ),
      ],
    });
  return [side(from, to, 'Send'), side(to, from, 'Receive')];
}
