import { z } from 'zod';
import {
  deploymentListSchema,
  deploymentSchema,
  tokenListSchema,
  tokenSchema,
  tokenTypesSchema,
} from '../rest/token.ts';
import { addDeploymentsSchema } from '../rest/tokenDeploy.ts';
import { tokenTypes } from '../rules/tokenArgs.ts';
import { selectableLabels } from '../userLabels.ts';
import { idSchema } from '../values.ts';
import { listQuerySchema, type Operation } from './operation.ts';

const tokenParams = z.object({ token_id: idSchema.describe('Id of the token.') });
const deploymentParams = tokenParams.extend({ network_id: idSchema.describe('Id of the network.') });

const tokenQuerySchema = listQuerySchema.extend({
  type: z.enum(tokenTypes).optional().describe('Only tokens of this standard.'),
  name: z.string().max(128).optional().describe('Only tokens with this name.'),
  symbol: z.string().max(32).optional().describe('Only tokens with this symbol.'),
});

const read = { method: 'GET', api: 'transaction', permission: 'tokens:read' } as const;
const write = { api: 'transaction', permission: 'tokens:write' } as const;

export const tokenOperations = {
  listTokenTypes: {
    ...read,
    path: '/v1alpha1/transaction/token-types',
    summary: 'List token standards',
    success: { status: 200, schema: tokenTypesSchema, description: 'The supported standards.' },
    errors: [],
  },
  listTokens: {
    ...read,
    path: '/v1alpha1/transaction/token',
    summary: 'List tokens',
    description: 'Lists the tokens of the caller, one page at a time.',
    query: tokenQuerySchema,
    listQuery: true,
    selectable: ['type', 'name', 'symbol', selectableLabels],
    selectableValues: { type: tokenTypes },
    canWarn: true,
    success: { status: 200, schema: tokenListSchema, description: 'A page of tokens.' },
    errors: [],
  },
  getToken: {
    ...read,
    path: '/v1alpha1/transaction/token/{token_id}',
    summary: 'Get a token',
    params: tokenParams,
    success: { status: 200, schema: tokenSchema, description: 'The token with its deployments.' },
    errors: [404],
  },
  deleteToken: {
    ...write,
    method: 'DELETE',
    path: '/v1alpha1/transaction/token/{token_id}',
    summary: 'Delete a token',
    description: 'Removes the token and its deployment records. Its contracts remain on the chains.',
    params: tokenParams,
    success: { status: 204, description: 'Deleted.' },
    errors: [404],
  },
  addDeployments: {
    ...write,
    method: 'POST',
    path: '/v1alpha1/transaction/token/{token_id}/add-deployments',
    summary: 'Deploy a token on additional networks',
    params: tokenParams,
    body: addDeploymentsSchema,
    success: { status: 201, schema: tokenSchema, description: 'The token with its new deployments.' },
    errors: [400, 404],
  },
  listDeployments: {
    ...read,
    path: '/v1alpha1/transaction/token/{token_id}/deployments',
    summary: 'List the deployments of a token',
    params: tokenParams,
    query: listQuerySchema.omit({ selector: true }),
    success: { status: 200, schema: deploymentListSchema, description: 'A page of deployments.' },
    errors: [404],
  },
  getDeployment: {
    ...read,
    path: '/v1alpha1/transaction/token/{token_id}/deployments/{network_id}',
    summary: 'Get the deployment of a token on a network',
    params: deploymentParams,
    success: { status: 200, schema: deploymentSchema, description: 'The deployment.' },
    errors: [404],
  },
  deleteDeployment: {
    ...write,
    method: 'DELETE',
    path: '/v1alpha1/transaction/token/{token_id}/deployments/{network_id}',
    summary: 'Delete the deployment record of a token on a network',
    description: 'Removes only the record. The contract remains on the chain.',
    params: deploymentParams,
    success: { status: 204, description: 'Deleted.' },
    errors: [404],
  },
} as const satisfies Record<string, Operation>;
