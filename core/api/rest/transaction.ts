import { z } from 'zod';
import { maxBatchTransactions } from '../resources/outbox.ts';
import { addressSchema, hashSchema, hexDataSchema, idSchema, uint256Schema } from '../values.ts';

export const transactionItemSchema = z
  .strictObject({
    from: addressSchema.describe('Sender: the address of the default key of the caller.'),
    to: addressSchema.optional().describe('Recipient. Omit for contract creation.'),
    value: uint256Schema.describe('Amount in wei: decimal or 0x-prefixed hexadecimal text.'),
    data: hexDataSchema.describe('Call data or creation code in 0x-prefixed hexadecimal.'),
    gas_limit: z.int().min(1).optional().describe('Gas limit. Estimated when omitted.'),
    max_fee_per_gas: uint256Schema.optional().describe('EIP-1559: maximum fee per unit of gas, in wei.'),
    max_priority_fee_per_gas: uint256Schema
      .optional()
      .describe('EIP-1559: maximum priority fee (tip) per unit of gas, in wei.'),
  })
  .superRefine((item, context) => {
    if (item.to === undefined && item.data === '0x') {
      context.addIssue({
        code: 'custom',
        path: ['data'],
        message: 'must be creation code when to is omitted',
      });
    }
  })
  .describe('A transaction to sign and submit.');
export type TransactionItem = z.infer<typeof transactionItemSchema>;

export const submitRequestSchema = z
  .strictObject({
    transactions_by_network: z
      .record(idSchema, z.array(transactionItemSchema).min(1).max(maxBatchTransactions))
      .refine((networks) => Object.keys(networks).length > 0, 'must contain at least one network')
      .describe('Network id to its transactions, in the order in which they must be mined.'),
  })
  .describe('Transactions for any number of networks.');

const networkErrorSchema = z.object({
  reason: z.string().describe('Machine-readable reason.'),
  message: z.string().describe('What is wrong and what to do.'),
  details: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('All invalid fields.'),
});

export const submitResponseSchema = z
  .object({
    tx_hashes_by_network: z
      .record(z.string(), z.array(hashSchema))
      .describe('Network id to the hashes of its transactions, in the order of the request.'),
    errors_by_network: z
      .record(z.string(), networkErrorSchema)
      .optional()
      .describe('Network id to the reason why none of its transactions was accepted.'),
  })
  .describe('The accepted transactions.');
export type SubmitResponse = z.infer<typeof submitResponseSchema>;

export const healthSchema = z
  .object({
    status: z.enum(['ok', 'degraded']).describe('Liveness, and whether kube-apiserver answers.'),
    checks: z.record(z.string(), z.string()).optional().describe('Each check and its result.'),
  })
  .describe('Health of the service.');
export type Health = z.infer<typeof healthSchema>;
