import { z } from 'zod';
import { contractSummarySchema } from './verifiedContract.ts';

export const contractSchema = contractSummarySchema
  .extend({
    kind: z.literal('Contract'),
    version: z.literal('v1alpha'),
    abi: z.array(z.record(z.string(), z.unknown())).describe('The ABI, as the compiler wrote it.'),
    sources: z.record(z.string(), z.string()).describe('The text of each source file.'),
    settings: z.record(z.string(), z.unknown()).describe('The settings of the compiler.'),
  })
  .describe('A verified contract with its ABI and sources.');
