import { reads } from '../../deploy/reads.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { call, inspect, ownSteps, stepId } from '../../deploy/steps.ts';
import type { DeploymentTarget } from '../standard.ts';
import { complianceOf, suite } from './registries.ts';
import { trex } from './trexNetwork.ts';

/**
 * With transfer_restrictions, tokens move only from or to accounts on the compliance contract's list, of which the
 * deployer is the first. Without it, any two registered holders may transfer.
 */
export function complianceSteps({ plan, network, contracts }: DeploymentTarget): Step[] {
  if (!network.args.transfer_restrictions) {
    return [
      inspect(network, {
        name: suite.restricted,
        title: 'adds no restrictions',
        inspect: async () => ({}),
      }),
    ];
  }
  const owner = ownSteps(plan, network);
  const { abi } = contracts.erc3643('ComplianceImplementation');
  const module = contracts.erc3643('TransferRestrictModule').abi;
  const { deployer } = plan.accounts;
  const at = (known: Known, name: string) => known.get(network.id, name);
  const to = (known: Known) => complianceOf(network, known);
  return [
    call(owner, {
      name: 'add-module',
      title: 'adds the restrictions to the compliance contract',
      after: [suite.compliance, trex.module].map((name) => stepId(network, name)),
      call: (known) => ({ to: to(known), abi, name: 'addModule', args: [at(known, trex.module)] }),
      reads: (known) => [
        reads({ to: to(known), abi, name: 'isModuleBound', args: [at(known, trex.module)] }, true),
      ],
    }),
    call(owner, {
      name: suite.restricted,
      title: 'allows the deployer to transfer',
      after: [stepId(network, 'add-module')],
      call: (known) => ({
        to: to(known),
        abi,
        name: 'callModuleFunction',
        args: [module.encodeFunctionData('allowUser', [deployer]), at(known, trex.module)],
      }),
      reads: (known) => [
        reads(
          { to: at(known, trex.module), abi: module, name: 'isUserAllowed', args: [to(known), deployer] },
          true,
        ),
      ],
    }),
  ];
}
