import { z } from 'zod';
import { listMetaSchema, timeSchema } from '../common.ts';
import { addressSchema, hashSchema, idSchema } from '../values.ts';

/**
 * accepted: persisted, not sent yet. broadcast: the network's node has it. mined: in a block, successful. failed: in a
 * block, reverted. dropped: not in a block, and never sent again.
 */
export const submissionStates = ['accepted', 'broadcast', 'mined', 'failed', 'dropped'] as const;

export const submissionSchema = z
  .object({
    kind: z.literal('Submission'),
    version: z.literal('v1alpha1'),
    hash: hashSchema,
    network_id: z.string().describe('Id of the network.'),
    state: z
      .enum(submissionStates)
      .describe(
        "accepted: stored, not sent yet. broadcast: the network's node has it. mined: in a block, successful. failed: in a block, reverted. dropped: not in a block, and will not be sent again.",
      ),
    message: z.string().optional().describe('Why it failed or was dropped, or what it is waiting for.'),
    from: addressSchema.describe('Sender.'),
    nonce: z.int().min(0).describe('Nonce of the sender.'),
    accepted_at: timeSchema.describe('When it was accepted.'),
    settled_at: timeSchema.optional().describe('When it was found mined, failed or dropped.'),
    block: z.int().min(0).optional().describe('Number of its block.'),
    gas_used: z.int().min(0).optional().describe('Gas used.'),
    contract_address: z.string().optional().describe('The contract that it created.'),
    user_id: z.string().optional().describe('Id of the user who submitted it.'),
    receipt: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The receipt from the network's node, while the network is running; not included in lists."),
  })
  .describe('A submitted transaction and its outcome.');
export type SubmissionBody = z.infer<typeof submissionSchema>;

export const submissionListSchema = z
  .object({
    kind: z.literal('SubmissionList'),
    version: z.literal('v1alpha1'),
    items: z.array(submissionSchema),
    metadata: listMetaSchema,
  })
  .describe('A page of submitted transactions.');

export const submissionParams = z.object({
  hash: z.string().min(1).max(253).describe('Hash of the transaction.'),
});

export const submissionQuerySchema = z.strictObject({
  network_id: idSchema
    .optional()
    .describe('Id of the network; required only when the same transaction was submitted to several.'),
});

export const selectableOfSubmissions = ['state', 'network_id', 'from', 'user_id'] as const;
