import { apiVersion } from '../../../core/api/names.ts';
import { metaOf, type ResourceOptions, statusOf } from '../../../core/api/testing/builders.ts';
import type { WebhookResource, WebhookSpec, WebhookStatus } from '../api/webhook.ts';

/** A Webhook that gets all events. */
export function aWebhook(options: ResourceOptions<WebhookSpec, WebhookStatus> = {}): WebhookResource {
  const spec: WebhookSpec = { url: 'https://example.com/hook', ...options.spec };
  return { apiVersion, kind: 'Webhook', metadata: metaOf('my-webhook', options), spec, ...statusOf(options) };
}
