import { z } from 'zod';
import { type CelRule, forbiddenWhen, immutable, listMap, requiredWhen, withRules } from '../cel.ts';
import { nameSchema, observedFields, timeSchema } from '../common.ts';
import { deploymentSchema, tokenFields } from '../rest/token.ts';
import { decimalRanges, maxDeployments } from '../rest/tokenDeploy.ts';
import {
  mechanisms,
  requiredArgs,
  type TokenArgs,
  tokenArgsResourceSchema,
  tokenTypes,
} from '../rules/tokenArgs.ts';
import type { KubeObject } from './kubeObject.ts';

const isCct = "self.type == 'CCT'";

/** A rule for each deployment `d`, applied when the token matches `when`. */
function eachDeployment(when: string, rule: string, message: string): CelRule {
  return { rule: `!(${when}) || self.deployments.all(d, ${rule})`, message, fieldPath: '.deployments' };
}

function requiredArgRules(): CelRule[] {
  return tokenTypes.flatMap((type) =>
    requiredArgs(type).map((member) =>
      eachDeployment(
        `self.type == '${type}'`,
        `has(d.args) && has(d.args.${member})`,
        `spec.deployments[].args.${member} is required when spec.type is ${type}`,
      ),
    ),
  );
}

/** Compares decimal strings without leading zeros: by length, then lexically. */
function isAtMost(one: string, other: string): string {
  return `(size(${one}) < size(${other}) || (size(${one}) == size(${other}) && ${one} <= ${other}))`;
}

/** The same rules as `supplyRules.ts` and `decimalRanges` for REST. */
function supplyRules(): CelRule[] {
  const hasBoth = 'has(d.args) && has(d.args.initial_supply) && has(d.args.total_supply)';
  return [
    eachDeployment(
      'true',
      `!(${hasBoth}) || ${isAtMost('d.args.initial_supply', 'd.args.total_supply')}`,
      'spec.deployments[].args.initial_supply must not be more than total_supply',
    ),
    eachDeployment(
      "self.type == 'ERC20'",
      "!has(d.args) || !has(d.args.total_supply) || d.args.total_supply != '0'",
      'spec.deployments[].args.total_supply must be more than 0 when spec.type is ERC20',
    ),
    // Beyond 2^53 every double is a whole number.
    eachDeployment(
      'true',
      '!has(d.args) || !has(d.args.liquidity) || d.args.liquidity > 9e15 || d.args.liquidity == double(int(d.args.liquidity))',
      'spec.deployments[].args.liquidity must be a whole number of the smallest units of the token',
    ),
    ...(['ERC3643', 'OFT'] as const).map((type): CelRule => {
      const { min, max } = decimalRanges[type];
      return {
        rule: `self.type != '${type}' || (self.decimals >= ${min} && self.decimals <= ${max})`,
        message: `spec.decimals must be ${min} to ${max} when spec.type is ${type}`,
        fieldPath: '.decimals',
      };
    }),
  ];
}

/** The same rules as `cctIssues` for REST. */
function cctRules(): CelRule[] {
  const isWrapping = 'has(d.args) && has(d.args.underlying_token_address)';
  const freshOnly: (keyof TokenArgs)[] = ['total_supply', 'initial_supply', 'liquidity', 'recipient'];
  return [
    eachDeployment(
      isCct,
      `(${isWrapping}) || (has(d.args) && has(d.args.total_supply))`,
      'spec.deployments[].args.total_supply is required unless underlying_token_address is given',
    ),
    ...freshOnly.map((member) =>
      eachDeployment(
        isCct,
        `!(${isWrapping}) || !has(d.args.${member})`,
        `spec.deployments[].args.${member} must be omitted when underlying_token_address is given`,
      ),
    ),
    eachDeployment(
      `${isCct} && has(self.mechanism) && self.mechanism != 'lock-release'`,
      '!has(d.args) || !has(d.args.liquidity)',
      'spec.deployments[].args.liquidity is only for spec.mechanism lock-release',
    ),
    eachDeployment(
      `${isCct} && has(self.mechanism) && self.mechanism != 'burn-mint'`,
      '!has(d.args) || !has(d.args.recipient)',
      'spec.deployments[].args.recipient is only for spec.mechanism burn-mint',
    ),
  ];
}

export const tokenSpecSchema = z
  .strictObject({
    name: tokenFields.name,
    symbol: tokenFields.symbol,
    decimals: tokenFields.decimals.default(18),
    type: z.enum(tokenTypes).describe('Token standard.'),
    mechanism: z.enum(mechanisms).optional().describe('CCT: how tokens move between chains.'),
    deployments: z
      .array(
        z.strictObject({
          network: nameSchema.describe('Name of a Network of the same workspace.'),
          networkID: z
            .string()
            .max(64)
            .optional()
            .describe(
              'Id of that Network: a different Network of the same name is not used. When omitted, any Network of that name is used.',
            ),
          args: tokenArgsResourceSchema.optional(),
          nonce: z
            .int()
            .min(0)
            .optional()
            .describe('Change the number to retry a deployment that failed or was lost.'),
        }),
      )
      .max(maxDeployments)
      .meta(listMap('network'))
      .describe('Networks to deploy on, each with its args.'),
    spec: tokenFields.spec.optional(),
  })
  .meta(
    withRules(
      ...['type', 'name', 'symbol', 'decimals'].map((member) => immutable(member, `spec.${member}`)),
      {
        rule: 'has(self.mechanism) == has(oldSelf.mechanism) && (!has(self.mechanism) || self.mechanism == oldSelf.mechanism)',
        message: 'spec.mechanism is immutable',
        fieldPath: '.mechanism',
      },
      requiredWhen(isCct, 'mechanism', 'spec.mechanism is required when spec.type is CCT'),
      forbiddenWhen("self.type != 'CCT'", 'mechanism', 'spec.mechanism is only for spec.type CCT: remove it'),
      ...requiredArgRules(),
      ...supplyRules(),
      ...cctRules(),
    ),
  )
  .describe('Desired token and its deployments.');
export type TokenSpec = z.infer<typeof tokenSpecSchema>;

export const deploymentStates = ['Pending', 'Deploying', 'Deployed', 'Lost', 'Error'] as const;
export type DeploymentState = (typeof deploymentStates)[number];

const deploymentStatusSchema = z.object({
  network: nameSchema.describe('Name of the network.'),
  networkID: z.string().optional().describe('Id of the network.'),
  state: z.enum(deploymentStates).optional().describe('Lost: the network was reset or deleted.'),
  observedNonce: z.int().optional().describe('The nonce that led to this state; 0 when unset.'),
  message: z.string().max(1024).optional().describe('Human-readable reason for the state.'),
  tokenAddress: z.string().optional().describe('Contract address.'),
  extraAddresses: deploymentSchema.shape.extra_addresses,
  deploymentTx: deploymentSchema.shape.deployment_tx,
  block: z.int().min(0).optional().describe('Block of the deployment transaction.'),
  enclaveID: z.string().optional().describe('status.enclaveID of the network that the token is deployed on.'),
  incarnation: z.string().optional().describe('The enclaveID when the deployment started. Internal.'),
  attempt: z.string().optional().describe('Distinguishes deployments on the same chain. Internal.'),
  argsHash: z.string().optional().describe('Hash of the args when the deployment started. Internal.'),
  isRepaired: z.boolean().optional().describe('Whether a failed step is being retried. Internal.'),
  deployedAt: deploymentSchema.shape.deployed_at,
});

export type DeploymentStatus = z.infer<typeof deploymentStatusSchema>;

export const tokenStatusSchema = z
  .object({
    deployments: z
      .array(deploymentStatusSchema)
      .max(2 * maxDeployments)
      .optional()
      .meta(listMap('network'))
      .describe('State of each deployment.'),
    deployed: z.string().optional().describe('Number of completed and desired deployments, e.g. 2/3.'),
    updatedAt: timeSchema.optional().describe('When this status last changed.'),
    ...observedFields,
  })
  .describe('Observed state.');
export type TokenStatus = z.infer<typeof tokenStatusSchema>;

/** The Token custom resource. */
export interface TokenResource extends KubeObject {
  kind: 'Token';
  spec: TokenSpec;
  status?: TokenStatus;
}
