import { z } from 'zod';
import { budgetNames } from '../../../core/api/budgets.ts';
import { queryNumber, timeSchema } from '../../../core/api/common.ts';
import { storedKinds } from '../../../core/api/resources/records/storedBytes.ts';
import { daySchema, maxUsageDays } from '../../../core/api/resources/records/usageRecord.ts';

const version = z.literal('v1alpha1');

export const usageQuerySchema = z.strictObject({
  days: queryNumber({ min: 1, max: maxUsageDays })
    .default(30)
    .describe('How many days, today included; 30 when absent.'),
});

const dailyUsageSchema = z
  .object({
    day: daySchema.describe('The day, in UTC.'),
    networkHours: z.number().describe('Total hours that networks ran.'),
    rpcCalls: z
      .int()
      .describe('Calls that the RPC gateway forwarded to networks; each call of a batch counts.'),
    transactions: z.int().describe('Transactions that were accepted over REST.'),
  })
  .describe('What was used on one day.');
export type DailyUsage = z.infer<typeof dailyUsageSchema>;

const budgetSchema = z
  .object({
    name: z
      .enum(budgetNames)
      .describe(
        "What is counted. apiKeys are the caller's, over all workspaces; the others are the workspace's. storedBytes is everything that it stores; cachedBytes are those that every process keeps in memory, such as networks, secrets and tokens.",
      ),
    used: z.int().min(0).describe('How much is used now.'),
    max: z.int().min(0).optional().describe('How much may be used; absent if there is no limit.'),
  })
  .describe('A budget and what is used of it.');
export type UsedBudget = z.infer<typeof budgetSchema>;

const storedDataSchema = z
  .object({
    kind: z
      .enum(storedKinds)
      .describe(
        'What is stored. records: the audit list, rotated keys, and answers of requests with an Idempotency-Key. They count towards storedBytes.',
      ),
    bytes: z.int().min(0).describe('How many bytes it takes, with all that belongs to it.'),
  })
  .describe('What is stored of a kind.');
export type StoredData = z.infer<typeof storedDataSchema>;

export const usageSchema = z
  .object({
    kind: z.literal('Usage'),
    version,
    workspaceID: z.string().describe('Id of the workspace.'),
    asOf: timeSchema.describe('Time of these values. Daily counts may lag behind by up to a minute.'),
    runningNetworks: z.int().min(0).describe('Networks that run now.'),
    days: z
      .array(dailyUsageSchema)
      .describe('One for each requested day, oldest first; the last one is today.'),
    budgets: z.array(budgetSchema).describe('The limits of the workspace, and their use.'),
    stored: z
      .array(storedDataSchema)
      .describe('What takes the stored bytes, most first; it may be some seconds behind the budget.'),
  })
  .describe('What a workspace uses.');
