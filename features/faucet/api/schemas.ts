import { z } from 'zod';
import { hashSchema, idSchema, ownedAddressSchema, uint256Schema } from '../../../core/api/values.ts';

export const faucetRequestSchema = z
  .strictObject({
    address: ownedAddressSchema.describe('Who gets the funds.'),
    amount: uint256Schema
      .optional()
      .describe('In wei, or in the smallest unit of the token; one whole coin or token when absent.'),
    token: idSchema
      .optional()
      .describe(
        'Id of a token of the workspace that is deployed on the network; when absent, the native coin.',
      ),
  })
  .describe('What a faucet gives, and to whom.');
export type FaucetRequest = z.infer<typeof faucetRequestSchema>;

export const faucetPaymentSchema = z
  .object({ txHashes: z.array(hashSchema).describe('The transactions that pay.') })
  .describe('A payment of a faucet.');
