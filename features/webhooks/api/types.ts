import { ownType } from '../../../core/api/resources/own.ts';
import type { WebhookBatchResource } from './batch.ts';
import type { WebhookResource } from './webhook.ts';

export const webhookType = ownType<WebhookResource>('Webhook');
export const webhookBatchType = ownType<WebhookBatchResource>('WebhookBatch');
