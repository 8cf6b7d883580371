import { z } from 'zod';
import { timeSchema } from '../../../core/api/common.ts';
import { listQuerySchema } from '../../../core/api/operations/operation.ts';
import { listOf } from '../../../core/api/rest/workspace.ts';

/** What is kept of a request. */
export const auditRecordSchema = z.object({
  at: timeSchema.describe('When the request was answered; the first one, if there are several.'),
  userID: z.string().describe('Id of the user.'),
  apiKeyID: z.string().optional().describe('Id of the API key, the part that is not secret.'),
  apiKeyName: z.string().optional().describe('Name of the API key at that time.'),
  sessionID: z.string().optional().describe('Id of the browser session.'),
  action: z.string().describe('The operation, as named in the API description: deleteNetwork.'),
  objects: z.array(z.string()).describe('The objects: kind, name and id; the ids of the path if it failed.'),
  outcome: z.string().describe('ok, or the reason of the error.'),
  source: z.string().optional().describe('The address of the caller, as far as trusted proxies report it.'),
  requestID: z.string().describe('Id of the request, which its log lines have, too.'),
  count: z
    .int()
    .min(1)
    .describe(
      'The number of identical requests of the caller, within a few seconds, that the entry represents.',
    ),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

export const auditEntrySchema = z
  .object({
    kind: z.literal('AuditEntry'),
    version: z.literal('v1alpha1'),
    id: z.string(),
    ...auditRecordSchema.shape,
    userName: z.string().optional().describe('Name or e-mail address of the user, if the account exists.'),
  })
  .describe('What a caller did.');
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = listOf('AuditEntryList', auditEntrySchema);

export const auditQuerySchema = listQuerySchema.omit({ selector: true }).extend({
  actor: z.string().min(1).max(128).optional().describe('Id of a user, an API key or a session.'),
  action: z.string().min(1).max(128).optional().describe('An operation: deleteNetwork.'),
  outcome: z.string().min(1).max(64).optional().describe('ok, or the reason of an error: Forbidden.'),
  since: timeSchema.optional().describe('Only what happened at this time or later.'),
});
