import { read, slipway } from '../../core/api/access/rbac/rule.ts';
import type { Feature } from '../../core/api/feature.ts';
import { age, text } from '../../core/api/resources/definition.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import { webhookBatchSpecSchema, webhookBatchStatusSchema } from './api/batch.ts';
import * as delivery from './api/deliveries.ts';
import { examples } from './api/examples.ts';
import { webhookOperations } from './api/operations.ts';
import { deliverySettingsSchema } from './api/settings.ts';
import { webhookBatchType, webhookType } from './api/types.ts';
import * as webhook from './api/webhook.ts';

/** Sends the events of a workspace to URLs, signed, in order, until each was received. */
export const feature = {
  groups: [
    {
      name: 'Webhooks',
      description: 'Events, sent to your URLs.',
      operations: webhookOperations,
      reads: ['Secret', 'Webhook'],
    },
  ],
  schemas: {
    Webhook: webhook.webhookSchema,
    NewWebhook: webhook.newWebhookSchema,
    WebhookList: webhook.webhookListSchema,
    WebhookSpec: webhook.webhookSpecSchema,
    WebhookCreate: webhook.webhookCreateSchema,
    WebhookInput: webhook.webhookInputSchema,
    WebhookDelivery: delivery.webhookDeliverySchema,
    WebhookDeliveryList: delivery.webhookDeliveryListSchema,
    RotateWebhookSecret: delivery.rotateWebhookSecretSchema,
  },
  examples,
  client: { nouns: { Webhook: 'webhooks' }, groups: { webhooks: 'Webhooks of a workspace.' } },
  settings: { deliveries: deliverySettingsSchema },
  resources: [
    {
      type: webhookType,
      description: 'A URL that events of the workspace are sent to.',
      shortName: 'bhook',
      spec: webhook.webhookSpecSchema,
      status: webhook.webhookStatusSchema,
      columns: [
        text('State', '.status.state', 'Webhook state.'),
        text('Reason', '.status.pauseReason', 'Why it is paused.'),
        { name: 'Pending', type: 'integer', jsonPath: '.status.pending', description: 'Deliveries queued.' },
        {
          name: 'Delivered',
          type: 'date',
          jsonPath: '.status.lastDeliveredAt',
          description: 'Last success.',
        },
        age,
        { ...text('Message', '.status.message', 'Reason for the state.'), priority: 1 },
      ],
      selectable: ['.status.state'],
      counted: { kind: 'webhooks', isCached: true, pageSize: 250 },
      isClosedToUsers: true,
      hasId: true,
    },
    {
      type: webhookBatchType,
      description: 'Events on their way to a webhook, and the log of attempts. Written only by the service.',
      shortName: 'bhookb',
      category: 'slipway-internal',
      spec: webhookBatchSpecSchema,
      status: webhookBatchStatusSchema,
      columns: [
        text('Webhook', '.spec.webhook', 'Name of the webhook.'),
        text('Trigger', '.spec.trigger', 'Why it is sent.'),
        { name: 'Sequence', type: 'integer', jsonPath: '.spec.sequence', description: 'Position.' },
        { name: 'Pending', type: 'integer', jsonPath: '.status.pending', description: 'Not settled.' },
        age,
      ],
      selectable: ['.spec.webhook'],
      counted: { kind: 'webhooks', pageSize: 20 },
      isClosedToUsers: true,
      // Events, but not the report that some are missing.
      isClosedToOperator: (object) => !isGap(object),
    },
  ],
  access: {
    apiserver: {
      cluster: [
        {
          reason: 'webhooks are created, replaced and deleted over REST',
          groups: slipway,
          resources: ['webhooks'],
          verbs: [...read, 'create', 'update', 'delete'],
        },
        {
          reason: 'deliveries are listed, and tests and resends queued, over REST',
          groups: slipway,
          resources: ['webhookbatches'],
          verbs: ['get', 'list', 'create'],
        },
      ],
    },
    operator: {
      cluster: [
        { reason: 'events are sent to webhooks', groups: slipway, resources: ['webhooks'], verbs: read },
        {
          reason: 'progress is reported in the status',
          groups: slipway,
          resources: ['webhooks/status'],
          verbs: ['patch'],
        },
        {
          reason: 'events are queued in batches, and the oldest deleted',
          groups: slipway,
          resources: ['webhookbatches'],
          verbs: [...read, 'create', 'update', 'delete'],
        },
        {
          reason: 'the outcome of deliveries is reported in the status',
          groups: slipway,
          resources: ['webhookbatches/status'],
          verbs: ['patch'],
        },
      ],
    },
    people: { edit: ['webhooks'] },
  },
} as const satisfies Feature;

function isGap(object: KubeObject): boolean {
  return 'spec' in object && (object.spec as { trigger?: string }).trigger === 'gap';
}
