import { z } from 'zod';
import { listMetaSchema, timeSchema } from '../../../core/api/common.ts';
import { listQuerySchema } from '../../../core/api/operations/operation.ts';

export const originSchema = z
  .string()
  .meta({ examples: ['verified', 'token'] })
  .describe('verified: its source was verified. token: Slipway deployed it with a token.');

/** The token that a contract belongs to. */
export const contractTokenSchema = z.object({
  id: z.string().describe('Id of the token.'),
  name: z.string().describe('Its name.'),
  symbol: z.string().describe('Its symbol.'),
  decimals: z.int().describe('Its decimals.'),
  role: z.string().describe('The role of the contract for the token: "token", or a name of extra_addresses.'),
});

export const knownContractSchema = z
  .object({
    address: z.string().describe('Its address.'),
    name: z
      .string()
      .describe('The name of the contract in its source; src/Counter.sol:Counter of one that is verified.'),
    origin: originSchema,
    networkID: z.string().describe('Id of the network whose current chain has it.'),
    network: z.string().describe('Name of that network.'),
    token: contractTokenSchema.optional().describe('The token that it belongs to.'),
    compiler: z.string().optional().describe('Version of the compiler; absent unless it is verified.'),
    match: z
      .string()
      .meta({ examples: ['exact_match', 'match'] })
      .optional()
      .describe('How its code compares with its sources; absent unless it is verified.'),
    verifiedAt: timeSchema.optional().describe('When it was verified.'),
  })
  .describe('A contract that is known by name, without its ABI.');
export type KnownContract = z.infer<typeof knownContractSchema>;

export const contractListSchema = z
  .object({
    kind: z.literal('ContractList'),
    version: z.literal('v1alpha'),
    items: z.array(knownContractSchema),
    metadata: listMetaSchema,
  })
  .describe('A page of the contracts that are known by name.');

export const contractQuerySchema = listQuerySchema.omit({ selector: true }).extend({
  name: z
    .string()
    .max(256)
    .optional()
    .describe('Part of the name of the contract, or of the name or symbol of its token, in any case.'),
});
