import { z } from 'zod';
import { idParams, type Operation } from '../../../core/api/operations/operation.ts';
import { idSchema } from '../../../core/api/values.ts';
import { contractSchema } from './contract.ts';

const contractParams = idParams.extend({
  address: z
    .string()
    .max(64)
    .describe('Address of the contract, in upper or lower case; 404 if it is not verified.'),
});

/** Contracts are submitted at the endpoint `verify` of a network. */
export const contractOperations = {
  getContract: {
    method: 'GET',
    path: '/v1alpha/networks/{id}/contracts/{address}',
    api: 'network',
    summary: 'Get a verified contract',
    description:
      'As it was at verifiedAt: compare codeHash with the code on the chain if that may have changed since. Does not wake a stopped network.',
    params: contractParams.extend({ id: idSchema.describe('Id of the network.') }),
    success: { status: 200, schema: contractSchema, description: 'The contract with its ABI and sources.' },
    errors: [404],
    permission: 'networks:read',
  },
} as const satisfies Record<string, Operation>;
