import type { TokenArgs } from '../../api/rules/tokenArgs.ts';
import { create, ownSteps, stepId } from '../../deploy/steps.ts';
import type { TokenPlan, TokenStandard } from '../standard.ts';

/** What is minted at deployment: all of it, unless the args say less. */
function initialSupplyOf({ initial_supply, total_supply = '0' }: TokenArgs): bigint {
  return BigInt(initial_supply ?? total_supply);
}

const token = 'token';

/** ERC-20 on OpenZeppelin's contracts: total_supply is the cap up to which the owner may mint. */
export const erc20: TokenStandard = {
  type: 'ERC20',
  steps: (plan, contracts) =>
    plan.networks.map((network) =>
      create(ownSteps(plan, network), {
        name: token,
        title: 'deploys the token',
        contract: contracts.erc20('CappedToken'),
        args: () => constructorArgs(plan, network.args),
      }),
    ),
  result: (_plan, network, known) => ({
    tokenAddress: known.get(network.id, token),
    extraAddresses: {},
    step: stepId(network, token),
  }),
};

function constructorArgs({ name, symbol, decimals, accounts }: TokenPlan, args: TokenArgs): unknown[] {
  const owner = args.owner ?? accounts.deployer;
  return [name, symbol, decimals, BigInt(args.total_supply ?? '0'), initialSupplyOf(args), owner];
}
