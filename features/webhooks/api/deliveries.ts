import { z } from 'zod';
import { listMetaSchema, timeSchema } from '../../../core/api/common.ts';
import { attemptSchema, deliveryStates, deliveryTriggers } from './batch.ts';

export const webhookDeliverySchema = z
  .object({
    kind: z.literal('WebhookDelivery'),
    version: z.literal('v1alpha'),
    id: z.string().describe('Id of the delivery.'),
    eventID: z
      .string()
      .describe('Id of the event, and the header webhook-id: the same in every attempt and resend.'),
    type: z.string().describe('Type of the event.'),
    trigger: z
      .enum(deliveryTriggers)
      .describe('Why it is sent: an event, a test, a resend, or a gap in the events.'),
    createdAt: timeSchema.describe('When the event happened.'),
    state: z
      .enum(deliveryStates)
      .describe(
        'pending: it is, or will be, sent. delivered: the receiver answered 2xx. failed: no attempt of a day succeeded.',
      ),
    attempts: z.int().min(0).describe('Attempts so far.'),
    nextAttemptAt: timeSchema.optional().describe('When it is retried.'),
    message: z.string().optional().describe('For a gap: what is missing.'),
    log: z.array(attemptSchema).describe('The last attempts, oldest first.'),
  })
  .describe('A delivery of an event to a webhook.');
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const webhookDeliveryListSchema = z.object({
  kind: z.literal('WebhookDeliveryList'),
  version: z.literal('v1alpha'),
  items: z.array(webhookDeliverySchema),
  metadata: listMetaSchema,
});

export const rotateWebhookSecretSchema = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .optional()
      .describe('How long deliveries also have the signature of the former secret; a day when absent.'),
  })
  .describe('How to rotate the signing secret.');
