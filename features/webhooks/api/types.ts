import type { ResourceType } from '../../../core/api/resources/kubeObject.ts';
import { own } from '../../../core/api/resources/own.ts';
import type { WebhookBatchResource } from './batch.ts';
import type { WebhookResource } from './webhook.ts';

export const webhookType: ResourceType<WebhookResource> = { ...own, kind: 'Webhook', plural: 'webhooks' };
export const webhookBatchType: ResourceType<WebhookBatchResource> = {
  ...own,
  kind: 'WebhookBatch',
  plural: 'webhookbatches',
};
