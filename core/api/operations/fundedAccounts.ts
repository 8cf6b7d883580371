import { z } from 'zod';
import { fundedAccountKeySchema, fundedAccountListSchema } from '../rest/accounts/funded.ts';
import { idSchema } from '../values.ts';
import { idParams, type Operation } from './operation.ts';

const accountParams = idParams.extend({
  id: idSchema.describe('Id of the network.'),
  address: z.string().max(64).describe('Address of the account, in upper or lower case.'),
});

export const fundedAccountOperations = {
  listNetworkAccounts: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/accounts',
    api: 'network',
    summary: 'List the funded accounts of a network',
    description:
      "The accounts that the spec funds, and the caller's own. Without balances: read those from the chain. Does not wake a stopped network.",
    params: idParams,
    success: {
      status: 200,
      schema: fundedAccountListSchema,
      description: 'The accounts, without their keys.',
    },
    errors: [404],
    permission: 'networks:read',
  },
  getNetworkAccountKey: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/accounts/{address}/key',
    api: 'secret',
    summary: 'Read the private key of a funded account',
    description:
      'Only the owner of the secret that has the key may read it, with the permission secrets:write; everybody may read those of development accounts. Each such read is audited. Does not wake a stopped network.',
    params: accountParams,
    success: { status: 200, schema: fundedAccountKeySchema, description: 'The key.' },
    errors: [403, 404],
    permission: 'secrets:read',
  },
} as const satisfies Record<string, Operation>;
