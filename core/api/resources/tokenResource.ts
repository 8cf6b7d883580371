import { z } from 'zod';
import { type CelRule, forbiddenWhen, immutable, listMap, requiredWhen, withRules } from '../cel.ts';
import { anchorSchema, nameSchema, observedFields, timeSchema } from '../common.ts';
import { exampleAccount } from '../openapi/exampleValues.ts';
import { deploymentSchema, deploymentStates, tokenFields } from '../rest/token.ts';
import { maxDeployments } from '../rest/tokenDeploy.ts';
import { eachDeployment } from '../rules/deploymentRules.ts';
import {
  definitionOf,
  mechanismDescription,
  mechanisms,
  mechanismsOf,
  requiredArgs,
  type TokenType,
  tokenArgsResourceSchema,
  tokenTypes,
  typesWithMechanism,
} from '../rules/tokenArgs.ts';
import { zeroAddress } from '../values.ts';
import type { NamespacedObject } from './kubeObject.ts';

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

/** Addresses that may not be the zero address: the same as the schemas of their args say for REST. */
function zeroAddressRules(): CelRule[] {
  return tokenTypes.flatMap((type) =>
    Object.entries(definitionOf(type).args)
      .filter(([, arg]) => arg.safeParse(exampleAccount).success && !arg.safeParse(zeroAddress).success)
      .map(([member]) =>
        eachDeployment(
          `self.type == '${type}'`,
          `!has(d.args) || !has(d.args.${member}) || d.args.${member} != '${zeroAddress}'`,
          `spec.deployments[].args.${member} must not be the zero address`,
        ),
      ),
  );
}

/** Compares decimal strings without leading zeros: by length, then lexically. */
function isAtMost(one: string, other: string): string {
  return `(size(${one}) < size(${other}) || (size(${one}) == size(${other}) && ${one} <= ${other}))`;
}

/** The same rule as `supplyIssues` has for REST: whatever standard takes both args. */
function supplyRule(): CelRule {
  const hasBoth = 'has(d.args) && has(d.args.initial_supply) && has(d.args.total_supply)';
  return eachDeployment(
    'true',
    `!(${hasBoth}) || ${isAtMost('d.args.initial_supply', 'd.args.total_supply')}`,
    'spec.deployments[].args.initial_supply must not be more than total_supply',
  );
}

/** Where a standard accepts fewer decimals than the shape does. */
function decimalRules(): CelRule[] {
  return tokenTypes.flatMap((type) => {
    const { min, max } = definitionOf(type).decimals;
    if (min === 0 && max === 255) return [];
    return {
      rule: `self.type != '${type}' || (self.decimals >= ${min} && self.decimals <= ${max})`,
      message: `spec.decimals must be ${min} to ${max} when spec.type is ${type}`,
      fieldPath: '.decimals',
    };
  });
}

/** A mechanism is one of the standard's own; a standard without any has none. */
function mechanismRules(): CelRule[] {
  const isOther = typesWithMechanism.map((type) => `self.type != '${type}'`).join(' && ');
  return [
    ...typesWithMechanism.map((type) =>
      requiredWhen(
        `self.type == '${type}'`,
        'mechanism',
        `spec.mechanism is required when spec.type is ${type}`,
      ),
    ),
    forbiddenWhen(
      isOther,
      'mechanism',
      `spec.mechanism is only for spec.type ${typesWithMechanism.join(', ')}: remove it`,
    ),
    ...typesWithMechanism
      .filter((type) => mechanismsOf(type).length < mechanisms.length)
      .map(ownMechanismRule),
  ];
}

function ownMechanismRule(type: TokenType): CelRule {
  const own = mechanismsOf(type);
  return {
    rule: `self.type != '${type}' || !has(self.mechanism) || self.mechanism in ['${own.join("', '")}']`,
    message: `spec.mechanism must be ${own.join(' or ')} when spec.type is ${type}`,
    fieldPath: '.mechanism',
  };
}

/** Args that changed alone would be shown as those of a contract that was deployed with others. */
const argsRule: CelRule = {
  rule: [
    '(has(self.args) == has(oldSelf.args) && (!has(self.args) || self.args == oldSelf.args))',
    '(has(self.nonce) ? self.nonce : 0) != (has(oldSelf.nonce) ? oldSelf.nonce : 0)',
    "(has(self.networkID) ? self.networkID : '') != (has(oldSelf.networkID) ? oldSelf.networkID : '')",
  ].join(' || '),
  message:
    'the args of a deployment change only with its nonce: set another nonce, and it is deployed again with these args',
  fieldPath: '.args',
};

const desiredDeploymentSchema = z
  .strictObject({
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
      .describe(
        'A new number deploys again: what failed or was lost, or, where nothing is wrong, another contract. Args change only with it.',
      ),
  })
  .meta(withRules(argsRule));

export const tokenSpecSchema = z
  .strictObject({
    name: tokenFields.name,
    symbol: tokenFields.symbol,
    decimals: tokenFields.decimals.default(18),
    type: z.enum(tokenTypes).describe('Token standard.'),
    mechanism: z.enum(mechanisms).optional().describe(mechanismDescription),
    deployments: z
      .array(desiredDeploymentSchema)
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
      ...mechanismRules(),
      ...requiredArgRules(),
      ...zeroAddressRules(),
      supplyRule(),
      ...decimalRules(),
      ...tokenTypes.flatMap((type) => definitionOf(type).rules ?? []),
    ),
  )
  .describe('The desired token and its networks.');
export type TokenSpec = z.infer<typeof tokenSpecSchema>;

const deploymentStatusSchema = z.object({
  network: nameSchema.describe('Name of the network.'),
  networkID: z.string().optional().describe('Id of the network.'),
  state: z
    .enum(deploymentStates)
    .optional()
    .describe(
      'Lost: the network was reset, deleted, or rolled back past the deployment, or no network has the id that the spec names.',
    ),
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
  anchor: anchorSchema
    .optional()
    .describe(
      'The newest block with a transaction of the deployment: without it, the chain has gone back. Internal.',
    ),
  connected: z
    .array(z.string().max(64))
    .max(maxDeployments)
    .optional()
    .describe('Hashes of the other deployments that it was verified to be connected to. Internal.'),
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
      .describe('The state of each deployment.'),
    deployed: z.string().optional().describe('Number of completed and desired deployments, for example 2/3.'),
    updatedAt: timeSchema.optional().describe('When this status last changed.'),
    origin: z
      .string()
      .optional()
      .describe('The uid that its steps are noted under: that of the token before it was restored.'),
    ...observedFields,
  })
  .describe('The observed state of the token.');
export type TokenStatus = z.infer<typeof tokenStatusSchema>;

/** The Token custom resource. */
export interface TokenResource extends NamespacedObject {
  kind: 'Token';
  spec: TokenSpec;
  status?: TokenStatus;
}
