import { z } from 'zod';
import { labelMetaSchema, listMetaSchema, timeSchema } from '../common.ts';
import { mechanismDescription, mechanisms, tokenTypes } from '../rules/tokenArgs.ts';
import { hashSchema } from '../values.ts';

export const tokenFields = {
  name: z.string().min(1).max(128).describe('Token name.'),
  symbol: z.string().min(1).max(32).describe('Token symbol.'),
  decimals: z.int().min(0).max(255).describe('Decimal places.'),
  spec: z
    .record(z.string(), z.unknown())
    .describe(
      'Additional settings of the token, e.g. mintable. They are stored and returned; no standard reads them, as the header Warning says.',
    ),
};

export const deploymentStates = ['Pending', 'Deploying', 'Deployed', 'Lost', 'Error'] as const;

const deploymentShape = {
  id: z.string().describe('Unique identifier.'),
  token_id: z.string().describe('Parent token.'),
  network_id: z.string().describe('Network that the token is deployed on.'),
  state: z
    .enum(deploymentStates)
    .optional()
    .describe(
      'Pending: it waits for its network. Lost: the network was reset, deleted, or rolled back past it. Error: it failed; message says why.',
    ),
  token_address: z.string().describe('Contract address; empty until it is known.'),
  args: z.record(z.string(), z.unknown()).optional().describe('The args given at deploy time.'),
  extra_addresses: z
    .record(z.string(), z.string())
    .optional()
    .describe('Additional addresses: pool and similar.'),
  deployment_tx: hashSchema.optional().describe('Deployment transaction hash.'),
  deployed_at: timeSchema.optional().describe('Deployment time.'),
  message: z
    .string()
    .optional()
    .describe('Why the deployment does not exist yet, no longer exists, or is not complete.'),
};

/** The Deployment as REST returns it. */
export const deploymentSchema = z.object(deploymentShape).describe('A token on one network.');
export type Deployment = z.infer<typeof deploymentSchema>;

/** The Token as REST returns it. */
export const tokenSchema = z
  .object({
    kind: z.literal('Token').optional().describe('Always Token.'),
    version: z.literal('v1alpha1').optional().describe('API version.'),
    id: z.string().describe('Unique identifier.'),
    user_id: z.string().describe('Owner.'),
    name: tokenFields.name,
    symbol: tokenFields.symbol,
    decimals: tokenFields.decimals.describe('Decimal places; 18 by default.'),
    total_supply: z
      .string()
      .describe('Total supply of the first deployment that has one, in smallest units; otherwise 0.'),
    type: z.enum(tokenTypes).describe('Token standard.'),
    mechanism: z.enum(mechanisms).optional().describe(mechanismDescription),
    spec: tokenFields.spec.optional(),
    metadata: labelMetaSchema.optional(),
    created_at: timeSchema.optional().describe('Creation time.'),
    updated_at: timeSchema.optional().describe('Time of the last update.'),
    deployments: z.array(deploymentSchema).optional().describe('Deployments of the token.'),
  })
  .describe('A token and its deployments.');
export type Token = z.infer<typeof tokenSchema>;

export const tokenListSchema = z
  .object({
    kind: z.literal('TokenList').optional(),
    version: z.literal('v1alpha1').optional(),
    items: z.array(tokenSchema),
    metadata: listMetaSchema.optional(),
  })
  .describe('A page of tokens.');

export const deploymentListSchema = z
  .object({
    kind: z.literal('DeploymentList').optional(),
    version: z.literal('v1alpha1').optional(),
    items: z.array(deploymentSchema),
    metadata: listMetaSchema.optional(),
  })
  .describe('A page of deployments.');

export const tokenTypesSchema = z.array(z.enum(tokenTypes)).describe('The supported token standards.');
