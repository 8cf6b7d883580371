import { reads } from '../../deploy/reads.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { call, create, ownSteps, stepId } from '../../deploy/steps.ts';
import type { DeploymentTarget } from '../standard.ts';
import { identityRegistryOf, kindOf, suite } from './registries.ts';

/** The deployer becomes an agent and is registered with its own identity, so that it may hold the supply. */
export function identitySteps(target: DeploymentTarget): Step[] {
  const { plan, network, contracts } = target;
  const { deployer } = plan.accounts;
  const { abi } = contracts.erc3643('IdentityRegistryImplementation');
  const registry = (known: Known) => identityRegistryOf(network, known);
  return [
    bindStep(target),
    agentStep(target, 'registry-agent', () => deployer),
    agentStep(target, 'registry-agent-token', (known) => known.get(network.id, suite.token)),
    create(ownSteps(plan, network), {
      name: suite.identity,
      title: 'deploys the identity of the deployer',
      contract: contracts.erc3643('Identity'),
      after: [stepId(network, suite.look)],
      args: (known) =>
        known.get(network.id, `${suite.look}.isRegistered`) === 'true' ? undefined : [deployer, false],
    }),
    call(ownSteps(plan, network), {
      name: 'register-owner',
      title: 'registers the deployer',
      after: ['bind-storage', 'registry-agent', suite.identity].map((name) => stepId(network, name)),
      call: (known) => ({
        to: registry(known),
        abi,
        name: 'registerIdentity',
        args: [deployer, known.get(network.id, suite.identity), 0],
      }),
      reads: (known) => [reads({ to: registry(known), abi, name: 'isVerified', args: [deployer] }, true)],
    }),
  ];
}

/** Only the token's own registry is set up; a registry from the args is used as it is. */
const isOwn = ({ network }: DeploymentTarget, known: Known) => kindOf(network, known) !== 'registry';

function bindStep(target: DeploymentTarget): Step {
  const { plan, network, contracts } = target;
  const { abi } = contracts.erc3643('IdentityStorageImplementation');
  const storage = (known: Known) => known.get(network.id, suite.storage);
  return call(ownSteps(plan, network), {
    name: 'bind-storage',
    title: 'binds the identity registry to its storage',
    after: [stepId(network, suite.registry)],
    call: (known) => ({
      to: storage(known),
      abi,
      name: 'bindIdentityRegistry',
      args: [identityRegistryOf(network, known)],
    }),
    reads: (known) =>
      isOwn(target, known)
        ? [
            reads({ to: storage(known), abi, name: 'linkedIdentityRegistries' }, [
              identityRegistryOf(network, known),
            ]),
          ]
        : [],
  });
}

function agentStep(target: DeploymentTarget, name: string, who: (known: Known) => string): Step {
  const { plan, network, contracts } = target;
  const { abi } = contracts.erc3643('IdentityRegistryImplementation');
  const to = (known: Known) => identityRegistryOf(network, known);
  return call(ownSteps(plan, network), {
    name,
    title: 'adds an agent to the identity registry',
    after: [suite.registry, suite.token].map((one) => stepId(network, one)),
    call: (known) => ({ to: to(known), abi, name: 'addAgent', args: [who(known)] }),
    reads: (known) =>
      isOwn(target, known) ? [reads({ to: to(known), abi, name: 'isAgent', args: [who(known)] }, true)] : [],
  });
}
