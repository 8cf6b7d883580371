import { ccip } from '../../crosschain/ccip/ccipNetwork.ts';
import { reads } from '../../deploy/reads.ts';
import type { CallRead, Known, Step } from '../../deploy/step.ts';
import { call, ownSteps, stepId } from '../../deploy/steps.ts';
import { decodeOne, encodeCall, type FunctionCall } from '../../evm/contractCalls.ts';
import type { DeploymentTarget } from '../standard.ts';
import { pool, type TokenConfig, tokenOf, tokenStepOf } from './token.ts';

const names = { propose: 'propose-administrator', accept: 'accept-administrator', set: 'set-pool' };

/** Registers the token's administrator and its pool, which is how the ramps find the pool. */
export function registrationSteps(target: DeploymentTarget): Step[] {
  const { plan, network } = target;
  const owner = ownSteps(plan, network);
  return [
    call(
      { ...owner, signer: 'service' },
      {
        name: names.propose,
        title: 'proposes the administrator of the token',
        after: [tokenStepOf(network), stepId(network, ccip.registry)],
        call: (known) => asked(target, known, 'proposeAdministrator', plan.accounts.deployer),
        reads: (known) => [administeredBy(target, known, ['administrator', 'pendingAdministrator'])],
      },
    ),
    call(owner, {
      name: names.accept,
      title: 'accepts the administration of the token',
      after: [stepId(network, names.propose)],
      call: (known) => asked(target, known, 'acceptAdminRole'),
      reads: (known) => [administeredBy(target, known, ['administrator'])],
    }),
    call(owner, {
      name: names.set,
      title: 'registers the pool',
      after: [stepId(network, names.accept), stepId(network, pool)],
      call: (known) => asked(target, known, 'setPool', known.get(network.id, pool)),
      reads: (known) => [reads(asked(target, known, 'getPool'), known.get(network.id, pool))],
    }),
  ];
}

/** A function of the registry, called for the token. */
function asked(
  { network, contracts }: DeploymentTarget,
  known: Known,
  ...[name, ...args]: [string, ...unknown[]]
): FunctionCall {
  const { abi } = contracts.cct('TokenAdminRegistry');
  return { to: known.get(network.id, ccip.registry), abi, name, args: [tokenOf(network, known), ...args] };
}

function administeredBy(
  target: DeploymentTarget,
  known: Known,
  members: readonly ('administrator' | 'pendingAdministrator')[],
): CallRead {
  const { deployer } = target.plan.accounts;
  const question = asked(target, known, 'getTokenConfig');
  return {
    what: `${deployer} administers the token in the registry`,
    to: question.to,
    data: encodeCall(question),
    isMet(result) {
      const config = decodeOne(question, result) as TokenConfig | undefined;
      return members.some((member) => config?.[member].toLowerCase() === deployer.toLowerCase());
    },
  };
}
