import { z } from 'zod';
import { addressSchema } from '../../../core/api/values.ts';
import { contractTokenSchema, originSchema } from './contracts.ts';

export const maxReads = 50;
const maxNamed = 20;

const readSchema = z
  .strictObject({
    method: z
      .string()
      .min(1)
      .max(512)
      .describe('A method that reads, or "GET /path" of the REST interface of the node if it has one.'),
    params: z.array(z.unknown()).max(8).optional().describe('Its parameters, by position.'),
  })
  .describe('One call to the node.');

/** Body of POST .../chain. */
export const chainReadsSchema = z
  .strictObject({
    reads: z.array(readSchema).max(maxReads).optional().describe('The calls.'),
    contracts: z
      .array(addressSchema)
      .max(maxNamed)
      .optional()
      .describe('Addresses to look up: verified contracts and tokens of the workspace are known.'),
  })
  .describe('What to read of a chain.');
export type ChainRead = z.infer<typeof readSchema>;

const readErrorSchema = z.object({
  code: z.number().optional().describe('The code of the JSON-RPC error, if the node answered with one.'),
  message: z.string().describe('Why there is no result.'),
  data: z.unknown().optional().describe('The revert data, if the node returned it.'),
});

const chainAnswerSchema = z
  .object({
    result: z
      .unknown()
      .optional()
      .describe('What the node answered. Integers that a double cannot hold are strings.'),
    error: readErrorSchema.optional().describe('The error, instead of a result.'),
  })
  .describe('The answer to one call.');
export type ChainAnswer = z.infer<typeof chainAnswerSchema>;

const namedContractSchema = z
  .object({
    address: z.string().describe('The address as in the request.'),
    name: z.string().describe('The name of the contract in its source.'),
    origin: originSchema,
    token: contractTokenSchema.optional().describe('The token that it belongs to.'),
    abi: z.array(z.record(z.string(), z.unknown())).describe('Its ABI.'),
  })
  .describe('A contract that is known by name.');
export type NamedContract = z.infer<typeof namedContractSchema>;

export const chainAnswersSchema = z
  .object({
    kind: z.literal('ChainAnswers'),
    version: z.literal('v1alpha'),
    enclaveID: z.string().describe('The incarnation of the network that was read.'),
    answers: z.array(chainAnswerSchema).describe('In the order of the calls.'),
    contracts: z.array(namedContractSchema).describe('The addresses that are known.'),
  })
  .describe('What was read of a chain.');

/** Query of GET .../blocks. */
export const blockQuerySchema = z.strictObject({
  follow: z.enum(['true', 'false']).optional().describe('false: the response ends after the newest block.'),
});

/** What the stream of blocks says. */
export const chainHeadSchema = z
  .object({
    enclaveID: z.string().describe('The incarnation of the network.'),
    number: z.string().describe('The number of its newest block, or slot.'),
    hash: z.string().optional().describe('The hash of the block, if the node reports it.'),
  })
  .describe('The newest block of a chain.');

/** One server-sent event of the stream of blocks. */
export const chainHeadEventSchema = z
  .object({
    data: z
      .string()
      .meta({
        contentMediaType: 'application/json',
        contentSchema: { $ref: '#/components/schemas/ChainHead' },
      })
      .describe('A ChainHead as JSON.'),
  })
  .describe('A server-sent event.');
