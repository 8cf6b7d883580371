import { z } from 'zod';
import { compact } from '../../lib/compact.ts';
import { isHexBytes } from '../../lib/text/hexBytes.ts';
import { maxBatchTransactions } from '../resources/outbox.ts';
import { hashSchema, idSchema, uint256Schema, usedAddressSchema } from '../values.ts';
import type { AccessList, Authorization } from './replay.ts';

/** Many clients send null for what they leave out. */
function omissible<T>(schema: z.ZodType<T>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Bytes in hexadecimal, with or without 0x; none when it is empty, null or absent. */
const looseDataSchema = z
  .string()
  .refine(
    (text) => isHexBytes(text.startsWith('0x') ? text.slice(2) : text),
    'use bytes in hexadecimal: an even number of digits',
  )
  .meta({ pattern: '^(0x)?([0-9a-fA-F]{2})*$' })
  .nullish()
  .transform((text) => (text?.startsWith('0x') ? text : `0x${text ?? ''}`));

export const transactionItemSchema = z
  .strictObject({
    from: omissible(usedAddressSchema).describe(
      'Sender: the address of the default key of the caller, which is also the default.',
    ),
    to: omissible(usedAddressSchema).describe('Recipient. Omit for contract creation.'),
    value: uint256Schema.describe('Amount in wei: decimal or 0x-prefixed hexadecimal text.'),
    data: looseDataSchema.describe('Call data or creation code in hexadecimal; none when omitted.'),
    gas_limit: omissible(z.int().min(1)).describe('Gas limit. Estimated when omitted.'),
    max_fee_per_gas: omissible(uint256Schema).describe('EIP-1559: maximum fee per unit of gas, in wei.'),
    max_priority_fee_per_gas: omissible(uint256Schema).describe(
      'EIP-1559: maximum priority fee (tip) per unit of gas, in wei.',
    ),
  })
  .superRefine((item, context) => {
    if (!item.to && item.data === '0x') {
      context.addIssue({
        code: 'custom',
        path: ['data'],
        message: 'must be creation code when to is omitted',
      });
    }
  })
  .transform((item) => compact(item))
  .describe('A transaction to sign and submit.');
/** A transaction as a client names it. */
export type SubmittedItem = z.infer<typeof transactionItemSchema>;

/** What a recorded transaction may have beside. */
export interface RecordedParts {
  /** Absent: the type of the network's fees. */
  type?: 0 | 1 | 2;
  access_list?: AccessList;
  /** Only on a chain that has EIP-7702, and not of a creation. */
  authorizations?: Authorization[];
}
/** A transaction whose sender is known. */
export type TransactionItem = SubmittedItem & RecordedParts & { from: string };

export const submitRequestSchema = z
  .strictObject({
    transactions_by_network: z
      .record(idSchema, z.array(transactionItemSchema).min(1).max(maxBatchTransactions))
      .refine((networks) => Object.keys(networks).length > 0, 'must contain at least one network')
      .describe('Transactions by network id, in the order in which they must be mined.'),
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
      .describe('Transaction hashes by network id, in the order of the request.'),
    errors_by_network: z
      .record(z.string(), networkErrorSchema)
      .optional()
      .describe('By network id, the reason why none of its transactions was accepted.'),
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
