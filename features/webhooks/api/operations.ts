import { z } from 'zod';
import { idParams, listQuerySchema, type Operation } from '../../../core/api/operations/operation.ts';
import { selectableLabels } from '../../../core/api/userLabels.ts';
import { idSchema } from '../../../core/api/values.ts';
import { deliveryStates, deliveryTriggers } from './batch.ts';
import { rotateWebhookSecretSchema, webhookDeliveryListSchema, webhookDeliverySchema } from './deliveries.ts';
import {
  newWebhookSchema,
  webhookCreateSchema,
  webhookInputSchema,
  webhookListSchema,
  webhookSchema,
  webhookStates,
} from './webhook.ts';

const all = '/v1alpha/webhooks';
const one = `${all}/{id}`;
const webhook = { status: 200, schema: webhookSchema } as const;

const deliveryParams = z.object({
  id: idSchema.describe('Id of the webhook.'),
  deliveryId: idSchema.describe('Id of the delivery.'),
});

export const webhookOperations = {
  listWebhooks: {
    method: 'GET',
    path: all,
    api: 'network',
    summary: 'List webhooks',
    description: 'Lists the webhooks of the workspace, one page at a time.',
    query: listQuerySchema,
    listQuery: true,
    selectable: ['status.state', 'metadata.ownerID', 'metadata.name', selectableLabels],
    selectableValues: { 'status.state': webhookStates },
    canWarn: true,
    success: { status: 200, schema: webhookListSchema, description: 'A page of webhooks.' },
    errors: [404],
    permission: 'webhooks:read',
  },
  createWebhook: {
    method: 'POST',
    path: all,
    api: 'network',
    summary: 'Create a webhook',
    description:
      'Later events are sent to its URL, signed according to Standard Webhooks. Answers when the webhook is Active, or earlier if that takes long. Only this response contains the signing secret.',
    body: webhookCreateSchema,
    success: { status: 201, schema: newWebhookSchema, description: 'The webhook with its signing secret.' },
    errors: [400, 404, 409],
    permission: 'webhooks:write',
  },
  getWebhook: {
    method: 'GET',
    path: one,
    api: 'network',
    summary: 'Get a webhook',
    params: idParams,
    success: { ...webhook, description: 'The webhook.' },
    errors: [404],
    permission: 'webhooks:read',
  },
  replaceWebhook: {
    method: 'PUT',
    path: one,
    api: 'network',
    summary: 'Replace a webhook',
    description:
      'Replaces the spec; the signing secrets are kept unless spec.secretRef is set. Queued events are sent to the new URL.',
    comparesRevisions: true,
    params: idParams,
    body: webhookInputSchema,
    success: { ...webhook, description: 'The replaced webhook.' },
    errors: [400, 404, 409],
    permission: 'webhooks:write',
  },
  deleteWebhook: {
    method: 'DELETE',
    path: one,
    api: 'network',
    summary: 'Delete a webhook',
    description: 'Also deletes its queue, its log and its generated secrets.',
    params: idParams,
    success: { ...webhook, description: 'The webhook before its deletion.' },
    errors: [404],
    permission: 'webhooks:write',
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${one}/rotate-secret`,
    api: 'network',
    summary: 'Rotate the signing secret of a webhook',
    description:
      'Generates a new secret. For a day, or overlapSeconds, deliveries have signatures of both secrets. Another rotation in that time ends the oldest one at once.',
    params: idParams,
    body: rotateWebhookSecretSchema,
    success: { status: 200, schema: newWebhookSchema, description: 'The webhook with its new secret.' },
    errors: [404, 409],
    permission: 'webhooks:write',
  },
  testWebhook: {
    method: 'POST',
    path: `${one}/test`,
    api: 'network',
    summary: 'Send a test event to a webhook',
    description: 'Queues an event of type webhook.test, whatever spec.types says.',
    params: idParams,
    success: {
      status: 202,
      schema: webhookDeliverySchema,
      description: 'The delivery; its log shows the outcome.',
    },
    errors: [404],
    permission: 'webhooks:write',
  },
  resumeWebhook: {
    method: 'POST',
    path: `${one}/resume`,
    api: 'network',
    summary: 'Resume a paused webhook',
    description:
      'Ends a pause, whatever its reason, and sends the events that were kept: those of the last day, within the budget of the webhook.',
    params: idParams,
    success: { ...webhook, description: 'The webhook; follow status.state.' },
    errors: [404, 409],
    permission: 'webhooks:write',
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: `${one}/deliveries`,
    api: 'network',
    summary: 'List the deliveries of a webhook',
    description:
      'Newest first, with the last attempts of each. The oldest are deleted when the budget is used up.',
    params: idParams,
    query: listQuerySchema,
    listQuery: true,
    selectable: ['state', 'type', 'trigger', 'eventID'],
    selectableValues: { state: deliveryStates, trigger: deliveryTriggers },
    canWarn: true,
    success: { status: 200, schema: webhookDeliveryListSchema, description: 'A page of deliveries.' },
    errors: [404],
    permission: 'webhooks:read',
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: `${one}/deliveries/{deliveryId}/resend`,
    api: 'network',
    summary: 'Send a delivery again',
    description: 'Queues the same event again, with the same webhook-id, whatever the state of the delivery.',
    params: deliveryParams,
    success: { status: 202, schema: webhookDeliverySchema, description: 'The new delivery.' },
    errors: [404],
    permission: 'webhooks:write',
  },
} as const satisfies Record<string, Operation>;
