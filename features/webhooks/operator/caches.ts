import { idIndex, idKey } from '../../../core/api/ids.ts';
import {
  createReflector,
  type Reflector,
  type ReflectorOptions,
} from '../../../core/kube/cache/reflector.ts';
import type { WebhookBatchResource } from '../api/batch.ts';
import { webhookBatchType, webhookType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';

type Options = Pick<ReflectorOptions<never>, 'kube' | 'clock' | 'log' | 'kubeMetrics' | 'namespace'>;

/** All webhooks, by uid and by namespace. Not started yet. */
export function createWebhookCache(options: Options): Reflector<WebhookResource> {
  return createReflector({
    ...options,
    type: webhookType,
    indexes: {
      ...idIndex,
      uid: ({ metadata }) => [metadata.uid],
      namespace: ({ metadata }) => [metadata.namespace],
    },
  });
}

/** All batches by their webhook, without the bodies of their events. Not started yet. */
export function createBatchCache(options: Options): Reflector<WebhookBatchResource> {
  return createReflector<WebhookBatchResource>({
    ...options,
    type: webhookBatchType,
    pageSize: 50,
    indexes: { webhook: ({ metadata, spec }) => [idKey(metadata.namespace, spec.webhookID)] },
    trim: (batch) => ({ ...batch, spec: { ...batch.spec, data: '' } }),
  });
}
