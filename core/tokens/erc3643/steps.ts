import { reads, readsAtLeast } from '../../deploy/reads.ts';
import { payStep } from '../../deploy/serviceFunds.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { call, create, ownSteps, stepId } from '../../deploy/steps.ts';
import type { DeploymentTarget, TokenStandard } from '../standard.ts';
import { complianceSteps } from './compliance.ts';
import { identitySteps } from './identity.ts';
import {
  complianceOf,
  explainBound,
  identityRegistryOf,
  kindOf,
  lookStep,
  nobody,
  suite,
} from './registries.ts';
import { trex, trexModuleSteps, trexNetworkSteps } from './trexNetwork.ts';

/** T-REX: a token that only registered holders may own, ready for use. */
export const standard: TokenStandard = {
  type: 'ERC3643',
  errorSources: [],
  steps: (plan, contracts) => plan.networks.flatMap((network) => networkSteps({ plan, network, contracts })),
  result(_plan, network, known) {
    const found = Object.entries({
      identity_registry: identityRegistryOf(network, known),
      compliance: complianceOf(network, known),
      identity_registry_storage: known.find(network.id, suite.storage),
      claim_topics_registry: known.find(network.id, suite.topics),
      trusted_issuers_registry: known.find(network.id, suite.issuers),
      owner_identity: known.find(network.id, suite.identity),
      transfer_restrict_module: known.find(network.id, trex.module),
    }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return {
      tokenAddress: known.get(network.id, suite.token),
      extraAddresses: Object.fromEntries(found),
      step: stepId(network, suite.token),
    };
  },
};

function networkSteps(target: DeploymentTarget): Step[] {
  const { network, contracts } = target;
  return [
    payStep(ownSteps(target.plan, network), target.plan.accounts.service),
    ...trexNetworkSteps(network, contracts),
    ...(network.args.transfer_restrictions ? trexModuleSteps(network, contracts) : []),
    lookStep(target),
    ...registrySteps(target),
    complianceStep(target),
    tokenStep(target),
    ...identitySteps(target),
    ...complianceSteps(target),
    ...issueSteps(target),
  ];
}

const authorityOf = ({ network }: DeploymentTarget, known: Known) => known.get(network.id, trex.authority);
const readyOf = ({ network }: DeploymentTarget) => [
  stepId(network, trex.version),
  stepId(network, suite.look),
];

/** The token's own registries, unless the args name one. */
function registrySteps(target: DeploymentTarget): Step[] {
  const { plan, network, contracts } = target;
  const owner = ownSteps(plan, network);
  const parts: [name: string, contract: string, title: string][] = [
    [suite.issuers, 'IssuersProxy', 'deploys the registry of trusted issuers'],
    [suite.topics, 'TopicsProxy', 'deploys the registry of claim topics'],
    [suite.storage, 'IdentityStorageProxy', 'deploys the storage of identities'],
  ];
  const isNeeded = (known: Known) => kindOf(network, known) !== 'registry';
  return [
    ...parts.map(([name, contract, title]) =>
      create(owner, {
        name,
        title,
        contract: contracts.erc3643(contract),
        after: readyOf(target),
        args: (known) => (isNeeded(known) ? [authorityOf(target, known)] : undefined),
      }),
    ),
    create(owner, {
      name: suite.registry,
      title: 'deploys the identity registry',
      contract: contracts.erc3643('IdentityRegistryProxy'),
      after: parts.map(([name]) => stepId(network, name)),
      args: (known) =>
        isNeeded(known)
          ? [authorityOf(target, known), ...parts.map(([name]) => known.get(network.id, name))]
          : undefined,
    }),
  ];
}

function complianceStep(target: DeploymentTarget): Step {
  const { plan, network, contracts } = target;
  return create(ownSteps(plan, network), {
    name: suite.compliance,
    title: 'deploys the compliance contract',
    contract: contracts.erc3643('ComplianceProxy'),
    after: readyOf(target),
    args: (known) => (kindOf(network, known) === 'compliance' ? undefined : [authorityOf(target, known)]),
  });
}

function tokenStep(target: DeploymentTarget): Step {
  const { plan, network, contracts } = target;
  return create(ownSteps(plan, network), {
    name: suite.token,
    title: 'deploys the token',
    contract: contracts.erc3643('TokenProxy'),
    after: [suite.registry, suite.compliance].map((name) => stepId(network, name)),
    args: (known) => [
      authorityOf(target, known),
      identityRegistryOf(network, known),
      complianceOf(network, known),
      plan.name,
      plan.symbol,
      plan.decimals,
      nobody,
    ],
    explain: (known, chain) => explainBound(target, known, chain),
  });
}

/** Mints the supply to the deployer and enables transfers. */
function issueSteps({ plan, network, contracts }: DeploymentTarget): Step[] {
  const owner = ownSteps(plan, network);
  const { deployer } = plan.accounts;
  const { abi } = contracts.erc3643('TokenImplementation');
  const supply = BigInt(network.args.total_supply ?? '0');
  const to = (known: Known) => known.get(network.id, suite.token);
  return [
    call(owner, {
      name: 'agent',
      title: 'makes the deployer an agent of the token',
      after: [stepId(network, suite.token)],
      call: (known) => ({ to: to(known), abi, name: 'addAgent', args: [deployer] }),
      reads: (known) => [reads({ to: to(known), abi, name: 'isAgent', args: [deployer] }, true)],
    }),
    call(owner, {
      name: 'mint',
      title: 'mints the supply',
      after: ['agent', 'register-owner'].map((name) => stepId(network, name)),
      call: (known) => ({ to: to(known), abi, name: 'mint', args: [deployer, supply] }),
      reads: (known) => [readsAtLeast({ to: to(known), abi, name: 'totalSupply' }, supply)],
    }),
    call(owner, {
      name: 'unpause',
      title: 'enables transfers',
      after: ['mint', suite.restricted].map((name) => stepId(network, name)),
      call: (known) => ({ to: to(known), abi, name: 'unpause' }),
      reads: (known) => [reads({ to: to(known), abi, name: 'paused' }, false)],
    }),
  ];
}
