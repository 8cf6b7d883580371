import { z } from 'zod';
import type { NamespacedObject } from '../kubeObject.ts';
import type { UsageRecordStatus } from './storedBytes.ts';

/** Days that are kept, today included. */
export const maxUsageDays = 62;
/** A workspace has one record, in its namespace. */
export const usageRecordName = 'usage';

const count = z.int().min(0);

export const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const usageDaySchema = z
  .strictObject({
    day: daySchema.describe('The day, in UTC.'),
    networkSeconds: count.describe('Seconds that networks ran, all together.'),
    rpcCalls: count.describe('Calls that the RPC gateway passed on to networks.'),
    transactions: count.describe('Transactions that were accepted over REST.'),
  })
  .describe('What was used on one day.');
export type UsageDay = z.infer<typeof usageDaySchema>;

export const usageRecordSpecSchema = z
  .strictObject({
    days: z.array(usageDaySchema).max(maxUsageDays).describe('Days with any use, oldest first.'),
  })
  .describe('What a workspace used, by day.');
type UsageRecordSpec = z.infer<typeof usageRecordSpecSchema>;

/** What a workspace used. Internal: only the service writes it. */
export interface UsageRecordResource extends NamespacedObject {
  kind: 'UsageRecord';
  spec: UsageRecordSpec;
  /** Of the operator. */
  status?: UsageRecordStatus;
}
