import type { TokenContracts } from '../../deploy/artifacts.ts';
import { reads } from '../../deploy/reads.ts';
import { paidStep } from '../../deploy/serviceFunds.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { call, create, sharedSteps, stepId } from '../../deploy/steps.ts';
import type { TokenNetwork } from '../standard.ts';

/** Steps of T-REX that the tokens of a network share, by name. */
export const trex = { authority: 'trex:authority', version: 'trex:version', module: 'trex:restrict-module' };

/** The implementations behind all proxies, in the order of T-REX's struct TREXContracts. */
const implementations: [name: string, contract: string][] = [
  ['trex:token', 'TokenImplementation'],
  ['trex:topics', 'TopicsImplementation'],
  ['trex:identity-registry', 'IdentityRegistryImplementation'],
  ['trex:identity-storage', 'IdentityStorageImplementation'],
  ['trex:issuers', 'IssuersImplementation'],
  ['trex:compliance', 'ComplianceImplementation'],
];

const version = [4, 1, 6];

/** T-REX's implementations, and the authority from which proxies get their addresses. */
export function trexNetworkSteps(network: TokenNetwork, contracts: TokenContracts): Step[] {
  const owner = sharedSteps('trex', network);
  const names = [trex.authority, ...implementations.map(([name]) => name)];
  const { abi } = contracts.erc3643('ImplementationAuthority');
  const at = (known: Known, name: string) => known.get(network.id, name);
  return [
    ...implementations.map(([name, contract]) =>
      create(owner, {
        name,
        title: `deploys ${contract} of T-REX`,
        contract: contracts.erc3643(contract),
        after: [paidStep(network)],
      }),
    ),
    create(owner, {
      name: trex.authority,
      title: 'deploys the implementation authority of T-REX',
      contract: contracts.erc3643('ImplementationAuthority'),
      after: [paidStep(network)],
      args: () => [true, nobody, nobody],
    }),
    call(owner, {
      name: trex.version,
      title: 'activates the implementations of T-REX',
      after: names.map((name) => stepId(network, name)),
      call: (known) => ({
        to: at(known, trex.authority),
        abi,
        name: 'addAndUseTREXVersion',
        args: [version, implementations.map(([name]) => at(known, name))],
      }),
      reads: (known) => [
        reads(
          { to: at(known, trex.authority), abi, name: 'getTokenImplementation' },
          at(known, 'trex:token'),
        ),
        reads(
          { to: at(known, trex.authority), abi, name: 'getMCImplementation' },
          at(known, 'trex:compliance'),
        ),
      ],
    }),
  ];
}

/** One module serves all tokens, because it keeps a list for each compliance contract. */
export function trexModuleSteps(network: TokenNetwork, contracts: TokenContracts): Step[] {
  const owner = sharedSteps('trex', network);
  const implementation = 'trex:restrict-implementation';
  const module = contracts.erc3643('TransferRestrictModule');
  return [
    create(owner, {
      name: implementation,
      title: 'deploys TransferRestrictModule of T-REX',
      contract: module,
      after: [paidStep(network)],
    }),
    create(owner, {
      name: trex.module,
      title: 'deploys the proxy of TransferRestrictModule',
      contract: contracts.erc3643('ModuleProxy'),
      after: [stepId(network, implementation)],
      args: (known) => [known.get(network.id, implementation), module.abi.encodeFunctionData('initialize')],
    }),
  ];
}

const nobody = `0x${'0'.repeat(40)}`;
