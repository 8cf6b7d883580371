import { ccip, ccipLaneStep, ccipNetworkSteps, chainSelectorOf } from '../../crosschain/ccip/ccipNetwork.ts';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import { payStep } from '../../deploy/serviceFunds.ts';
import type { Step } from '../../deploy/step.ts';
import { ownSteps, pairsOf, stepId } from '../../deploy/steps.ts';
import { compact } from '../../lib/compact.ts';
import type { DeploymentTarget, TokenNetwork, TokenPlan, TokenStandard } from '../standard.ts';
import { grantSteps } from './grants.ts';
import { poolLaneSteps, poolSteps } from './pools.ts';
import { registrationSteps } from './registration.ts';
import { cctTokenSteps, pool, tokenOf, wrappedDecimals } from './token.ts';

/** Chainlink's cross-chain token: a pool on each network, wired to the pools on all others. */
export const standard: TokenStandard = {
  type: 'CCT',
  isConnected: true,
  errorSources: ['CrossChainToken', 'BurnMintPool', 'LockReleasePool', 'TokenAdminRegistry', 'Router'].map(
    (name) => ['cct', name],
  ),
  steps: (plan, contracts) => [
    ...plan.networks.flatMap((network) => networkSteps({ plan, network, contracts })),
    ...pairsOf(plan.networks).flatMap((pair) => laneSteps(plan, pair, contracts)),
  ],
  result: (_plan, network, known) => ({
    tokenAddress: tokenOf(network, known),
    extraAddresses: {
      pool: known.get(network.id, pool),
      router: known.get(network.id, ccip.router),
      token_admin_registry: known.get(network.id, ccip.registry),
      rmn_proxy: known.get(network.id, ccip.riskProxy),
      chain_selector: chainSelectorOf(network).toString(),
      ...compact({ decimals: known.find(network.id, wrappedDecimals) }),
    },
    step: stepId(network, network.args.underlying_token_address ? pool : 'token'),
  }),
};

function networkSteps(target: DeploymentTarget): Step[] {
  return [
    payStep(ownSteps(target.plan, target.network), target.plan.accounts.service),
    ...ccipNetworkSteps(target.network, target.plan.accounts.service, target.contracts),
    ...cctTokenSteps(target),
    ...poolSteps(target),
    ...(target.plan.mechanism === 'burn-mint' ? grantSteps(target) : []),
    ...registrationSteps(target),
  ];
}

function laneSteps(plan: TokenPlan, pair: [TokenNetwork, TokenNetwork], contracts: TokenContracts): Step[] {
  return [ccipLaneStep(pair, contracts), ...poolLaneSteps(plan, pair, contracts)];
}
