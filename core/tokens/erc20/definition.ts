import { exampleAccount } from '../../api/openapi/exampleValues.ts';
import { eachDeployment } from '../../api/rules/deploymentRules.ts';
import { initialSupply, supplyIssues, supplyOf, totalSupply } from '../../api/rules/supplyRules.ts';
import { ownedAddressSchema } from '../../api/values.ts';
import { type ArgIssue, defineToken } from '../definition.ts';

export const erc20 = defineToken({
  type: 'ERC20',
  folder: 'erc20',
  description: "A capped token on OpenZeppelin's ERC-20.",
  args: {
    total_supply: totalSupply.describe('Total supply, in smallest units: the maximum that can be minted.'),
    initial_supply: initialSupply
      .optional()
      .describe('Amount minted at deployment, in smallest units. Omitted: all of total_supply.'),
    owner: ownedAddressSchema
      .optional()
      .describe('Address that owns the token and receives the supply. Omitted: the deployer.'),
  },
  issues,
  rules: [
    eachDeployment(
      "self.type == 'ERC20'",
      "!has(d.args) || !has(d.args.total_supply) || d.args.total_supply != '0'",
      'spec.deployments[].args.total_supply must be more than 0 when spec.type is ERC20',
    ),
  ],
  decimals: { min: 0, max: 255 },
  endpoints: [
    {
      operationId: 'deployErc20',
      path: 'erc20',
      summary: 'Deploy an ERC20 token',
      description: 'An ERC20 token and where to deploy it.',
      example: { args: { total_supply: '1000000', initial_supply: '1000', owner: exampleAccount } },
    },
  ],
  abis: { token: ['CappedToken'] },
  contracts: { CappedToken: { own: 'CappedToken' } },
});

/** The cap of the token is its total supply, and the contract refuses a cap of 0. */
function issues(args: Record<string, unknown>): ArgIssue[] {
  if (supplyOf(args.total_supply) === 0n) return [{ member: 'total_supply', message: 'must be more than 0' }];
  return supplyIssues(args);
}
