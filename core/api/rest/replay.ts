import { z } from 'zod';
import { timeSchema } from '../common.ts';
import {
  addressSchema,
  hashSchema,
  hexDataSchema,
  idSchema,
  uint256Schema,
  usedAddressSchema,
} from '../values.ts';

export const replayVersion = 'slipway.replay/v1';

const transactionStatuses = ['success', 'reverted'] as const;

const accessListSchema = z
  .array(
    z.strictObject({
      address: usedAddressSchema,
      storage_keys: z.array(hashSchema.describe('Key of a storage slot: 0x and 64 hexadecimal digits.')),
    }),
  )
  .describe('Addresses and storage keys that the transaction named in advance (EIP-2930).');
export type AccessList = z.infer<typeof accessListSchema>;

const authorizationSchema = z
  .strictObject({
    chain_id: uint256Schema.describe('Chain id that it was signed for; 0 for every chain.'),
    address: usedAddressSchema.describe('Contract whose code the signer gets; the zero address for none.'),
    nonce: uint256Schema.describe('Nonce of the signer.'),
    y_parity: z.int().min(0).max(255).describe('Parity of the signature.'),
    r: uint256Schema.describe('Signature, r.'),
    s: uint256Schema.describe('Signature, s.'),
    applied: z.boolean().optional().describe('Whether it took effect. Absent if the node could not tell.'),
  })
  .describe('The code of a contract for an account, signed by that account (EIP-7702).');
export type Authorization = z.infer<typeof authorizationSchema>;

export const recordedTransactionSchema = z
  .strictObject({
    hash: hashSchema,
    type: z
      .int()
      .min(0)
      .max(127)
      .optional()
      .describe('Type (EIP-2718). Absent in recordings of versions before 0.4.'),
    from: usedAddressSchema.describe('Sender.'),
    to: usedAddressSchema.optional().describe('Recipient. Absent for contract creation.'),
    value: uint256Schema.describe('Amount in wei.'),
    data: hexDataSchema.describe('Call data or creation code.'),
    nonce: z.int().min(0).describe('Nonce of the sender.'),
    gas_limit: z.int().min(1).describe('Gas limit.'),
    gas_used: z.int().min(0).optional().describe('Gas used.'),
    gas_price: uint256Schema.optional().describe('Price that was paid per unit of gas, in wei.'),
    max_fee_per_gas: uint256Schema
      .optional()
      .describe('EIP-1559: maximum fee per unit of gas, in wei. A replay pays the fees of its network.'),
    max_priority_fee_per_gas: uint256Schema
      .optional()
      .describe('EIP-1559: maximum priority fee (tip) per unit of gas, in wei.'),
    access_list: accessListSchema.optional(),
    authorizations: z.array(authorizationSchema).optional().describe('Authorizations, in order (EIP-7702).'),
    max_fee_per_blob_gas: uint256Schema
      .optional()
      .describe('EIP-4844: maximum fee per unit of blob gas, in wei.'),
    blob_versioned_hashes: z
      .array(hashSchema.describe('Versioned hash of a blob.'))
      .optional()
      .describe('Blobs that the transaction carried (EIP-4844). A replay sends it without them.'),
    block: z.int().min(0).describe('Number of the block.'),
    timestamp: timeSchema.describe('Time of the block.'),
    status: z.enum(transactionStatuses).describe('Outcome.'),
    contract_address: addressSchema.optional().describe('The contract that the transaction created.'),
    created_contracts: z
      .array(addressSchema)
      .optional()
      .describe('Contracts created by contracts during the transaction, in order of creation.'),
    events: z
      .array(hashSchema.describe('First topic of an event, which identifies its type.'))
      .optional()
      .describe('Types of the emitted events, in order.'),
  })
  .describe('A mined transaction.');
export type RecordedTransaction = z.infer<typeof recordedTransactionSchema>;

export const recordedNetworkSchema = z
  .strictObject({
    chainId: z.string().min(1).max(78).describe('Chain id of the network, decimal.'),
    firstBlock: z.int().min(0).describe('First processed block.'),
    lastBlock: z.int().min(0).describe('Last processed block.'),
    transactions: z.array(recordedTransactionSchema).describe('Transactions in block order.'),
  })
  .describe('The recorded transactions of one network.');

export const recordedNetworksSchema = z
  .record(idSchema, recordedNetworkSchema)
  .describe('Network id to the recorded transactions.');
export type RecordedNetworks = z.infer<typeof recordedNetworksSchema>;

export const replayDocumentSchema = z
  .strictObject({
    version: z.literal(replayVersion).optional().describe('Version of this format; optional.'),
    networks: recordedNetworksSchema,
  })
  .describe(
    'Recorded transactions to replay on the same or other networks. The recorded_data of a recording is such a document.',
  );
export type ReplayDocument = z.infer<typeof replayDocumentSchema>;

export const replayRequestSchema = z
  .strictObject({
    recordingId: idSchema.optional().describe('Recording to replay.'),
    replayDocument: replayDocumentSchema.optional().describe('Document to replay instead of a recording.'),
    networkMapping: z
      .record(idSchema, idSchema)
      .optional()
      .describe('Recorded network id to the id of the network to replay on. When omitted, the same network.'),
    dryRun: z.boolean().optional().describe('Only check and plan; send nothing.'),
  })
  .superRefine((request, context) => {
    const given = [request.recordingId, request.replayDocument].filter((source) => source !== undefined);
    if (given.length === 1) return;
    const message = 'send exactly one of recordingId and replayDocument';
    context.addIssue({ code: 'custom', path: ['recordingId'], message });
  })
  .describe('What to replay, and where.');
export type ReplayRequest = z.infer<typeof replayRequestSchema>;

export const replayedTransactionSchema = z
  .object({
    original_hash: hashSchema.describe('Hash of the recorded transaction.'),
    hash: hashSchema.optional().describe('Hash of the replayed transaction; absent when it was not sent.'),
    status: z.enum([...transactionStatuses, 'pending', 'skipped']).describe('Outcome of the replay.'),
    match: z.boolean().describe('Whether the outcome equals the recorded one.'),
    differences: z
      .array(z.string())
      .optional()
      .describe(
        'How the outcome differs. Differences only in gas are ignored, because gas depends on time and addresses.',
      ),
    gas_used: z.int().min(0).optional().describe('Gas used by the replay.'),
    contract_address: addressSchema.optional().describe('The contract that the replay created.'),
    created_contracts: z.array(addressSchema).optional().describe('Contracts created by contracts.'),
  })
  .describe('A replayed transaction compared with the recorded one.');
export type ReplayedTransaction = z.infer<typeof replayedTransactionSchema>;

export const replayResponseSchema = z
  .object({
    success: z.boolean().describe('Whether every transaction matches.'),
    transactions: z
      .record(z.string(), z.array(replayedTransactionSchema))
      .describe('Id of the replay network to its transactions, in the order of the recording.'),
    networks: z.array(z.string()).describe('Ids of the replay networks.'),
    totalTransactions: z.int().min(0).describe('Number of transactions.'),
    appliedNetworkMapping: z
      .record(z.string(), z.string())
      .describe('Recorded network id to the id of the replay network.'),
  })
  .describe('Outcome of a replay.');
export type ReplayResponse = z.infer<typeof replayResponseSchema>;
