import { z } from 'zod';
import { timeSchema } from '../../common.ts';

/** What stored data is called, in messages and in the usage of a workspace. */
export const storedKinds = [
  'networks',
  'secrets',
  'tokens',
  'recordings',
  'snapshots',
  'transactions',
  'contracts',
  'webhooks',
  'replays',
  'records',
] as const;
export type StoredKind = (typeof storedKinds)[number];

const bytesSchema = z.int().min(0);

const storedBytesSchema = z
  .strictObject({
    asOf: timeSchema.describe('When it was counted.'),
    account: z
      .string()
      .max(63)
      .describe(
        'Whose share of the installation it is: the user who created the workspace, or the workspace.',
      ),
    bytes: bytesSchema.describe('Bytes in etcd, all together.'),
    kinds: z
      .partialRecord(z.enum(storedKinds), bytesSchema)
      .describe(
        'Bytes by what they hold; absent: none. records: audit list, rotated keys, names of addresses, and answers of requests with an Idempotency-Key.',
      ),
    cached: z
      .partialRecord(z.enum(storedKinds), bytesSchema)
      .optional()
      .describe('Of these, the bytes of objects that processes keep in memory.'),
  })
  .describe('What the workspace stores.');
export type StoredBytes = z.infer<typeof storedBytesSchema>;

export const usageRecordStatusSchema = z
  .object({
    stored: storedBytesSchema.optional(),
    refusal: z
      .string()
      .max(1024)
      .optional()
      .describe(
        'Why the workspace stores nothing more, as its budget is used up. An admission policy says it.',
      ),
  })
  .describe('What the operator counted.');
export type UsageRecordStatus = z.infer<typeof usageRecordStatusSchema>;
