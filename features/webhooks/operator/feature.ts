import { workspaceIdOf } from '../../../core/accounts/ids.ts';
import { eventKeyOf } from '../../../core/events/eventKey.ts';
import type { OperatorFeature } from '../../../operator/feature.ts';
import { createBatchCache, createWebhookCache } from './caches.ts';
import { createWebhookController } from './controller.ts';
import { createWebhookMetrics, webhookMetricTable } from './metrics.ts';
import { createDeliveryAgent, createPost } from './post.ts';

export const feature: OperatorFeature = {
  metrics: [webhookMetricTable],
  open(options) {
    const webhooks = createWebhookCache(options);
    const batches = createBatchCache(options);
    return {
      caches: [webhooks, batches],
      connect({ networks: { networks, secrets }, installation, keys, ...surroundings }) {
        const { deliveries, defaultWorkspace } = installation;
        const deps = {
          ...surroundings,
          caches: { webhooks, batches, secrets, networks },
          deliveries,
          eventKey: eventKeyOf(keys.access),
          workspaceOf: (namespace: string) => workspaceIdOf(namespace, defaultWorkspace),
          watchClock: surroundings.clock,
          post: createPost(createDeliveryAgent({ deliveries })),
          metrics: createWebhookMetrics(surroundings.metrics),
        };
        return (settings) => [createWebhookController(deps, settings)];
      },
    };
  },
};
