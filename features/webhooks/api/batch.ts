import { z } from 'zod';
import { listMap } from '../../../core/api/cel.ts';
import { nameSchema, timeSchema } from '../../../core/api/common.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';

/** Maximum number of characters of `data`: a write of the outcome writes the whole object. */
export const maxBatchData = 262_144;
/** Maximum number of deliveries in a batch, so that one object with its attempts stays far below 1.5 MB. */
export const maxBatchDeliveries = 50;
/** The attempts of a delivery that are kept. */
export const maxLoggedAttempts = 8;
/** Characters of an error, and of an answer, that are kept. */
export const maxLoggedText = 256;

export const deliveryTriggers = ['event', 'test', 'resend', 'gap'] as const;
export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
const gapReasons = ['BudgetExceeded', 'Expired', 'HistoryLost'] as const;
export type GapReason = (typeof gapReasons)[number];

export const attemptSchema = z
  .object({
    at: timeSchema.describe('When it was sent.'),
    durationMs: z.int().min(0).describe('How long the receiver took.'),
    status: z.int().optional().describe('HTTP status of the answer; absent if there was none.'),
    error: z.string().max(maxLoggedText).optional().describe('Why it failed.'),
    response: z
      .string()
      .max(maxLoggedText)
      .optional()
      .describe('The first bytes of the response, without anything that looks like a credential.'),
  })
  .describe('One attempt.');
export type DeliveryAttempt = z.infer<typeof attemptSchema>;

const entrySchema = z
  .object({
    id: z.string().max(128).describe('Id of the event: the header webhook-id.'),
    type: z.string().max(63).describe('Type of the event.'),
    key: z.string().max(128).describe('The object that it is about: its deliveries are made in order.'),
    createdAt: timeSchema.describe('When it happened.'),
  })
  .describe('An event of the batch.');
export type BatchEntry = z.infer<typeof entrySchema>;

export const webhookBatchSpecSchema = z
  .strictObject({
    webhook: nameSchema.describe('Name of the Webhook.'),
    webhookID: z.string().max(64).describe('Id of the webhook.'),
    trigger: z.enum(deliveryTriggers).describe('Why it is sent.'),
    sequence: z.int().min(0).describe('Position among the batches of the webhook.'),
    entries: z.array(entrySchema).min(1).max(maxBatchDeliveries).describe('Its events, in order.'),
    gap: z
      .strictObject({
        reason: z.enum(gapReasons).describe('Why events are missing.'),
        dropped: z.int().min(0).describe('How many were dropped.'),
        through: z.int().min(0).describe('Batches up to this sequence were dropped.'),
      })
      .optional()
      .describe('For a gap: what is missing.'),
    bytes: z.int().min(0).describe('Size of data, which counts for the budget.'),
    data: z.string().max(maxBatchData).describe('Base64 of gzip of one JSON line per event: the bodies.'),
  })
  .describe('Events that are queued for a webhook.');
export type WebhookBatchSpec = z.infer<typeof webhookBatchSpecSchema>;

const deliveryStatusSchema = z
  .object({
    index: z.int().min(0).describe('Position in spec.entries.'),
    state: z.enum(deliveryStates).describe('pending: it is, or will be, sent.'),
    attempts: z.int().min(0).describe('Attempts so far.'),
    nextAttemptAt: timeSchema.optional().describe('When it is retried.'),
    log: z.array(attemptSchema).max(maxLoggedAttempts).describe('The last attempts.'),
  })
  .describe('What became of an event.');
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

export const webhookBatchStatusSchema = z
  .object({
    pending: z.int().min(0).describe('Deliveries that are not settled.'),
    deliveries: z
      .array(deliveryStatusSchema)
      .max(maxBatchDeliveries)
      .meta(listMap('index'))
      .describe('Those that were tried.'),
  })
  .describe('What became of the events.');
type WebhookBatchStatus = z.infer<typeof webhookBatchStatusSchema>;

/** Events on their way to a webhook, and the log of their attempts. Internal: only Slipway writes it. */
export interface WebhookBatchResource extends NamespacedObject {
  kind: 'WebhookBatch';
  spec: WebhookBatchSpec;
  status?: WebhookBatchStatus;
}
