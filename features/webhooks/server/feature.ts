import { defineServerFeature } from '../../../apiserver/feature.ts';
import { webhookType } from '../api/types.ts';
import { createWebhook } from './create.ts';
import { listWebhookDeliveries } from './deliveries.ts';
import type { WebhookDeps } from './deps.ts';
import { createKeepsSecret } from './keepsSecret.ts';
import { getWebhook, listWebhooks } from './read.ts';
import { deleteWebhook } from './remove.ts';
import { replaceWebhook } from './replace.ts';
import { resumeWebhook } from './resume.ts';
import { rotateWebhookSecret } from './rotate.ts';
import { resendWebhookDelivery, testWebhook } from './send.ts';

export const feature = defineServerFeature({
  create({ kube, kinds, watch, reads, cursors, sealer, installation }) {
    const kind = watch(webhookType);
    const max = installation.quota.webhooks;
    return {
      handlers: createHandlers({
        kube,
        ...kind,
        secrets: kinds.secrets,
        sealer,
        cursors,
        deliveries: installation.deliveries,
        catchUp: reads.catchUp,
        maxWebhooks: max,
      }),
      keepsSecret: createKeepsSecret(kube),
      budgets: [{ name: 'webhooks', plural: 'webhooks', kind, max }],
    };
  },
});

function createHandlers(deps: WebhookDeps) {
  return {
    listWebhooks: listWebhooks(deps),
    createWebhook: createWebhook(deps),
    getWebhook: getWebhook(deps),
    replaceWebhook: replaceWebhook(deps),
    deleteWebhook: deleteWebhook(deps),
    rotateWebhookSecret: rotateWebhookSecret(deps),
    testWebhook: testWebhook(deps),
    resumeWebhook: resumeWebhook(deps),
    listWebhookDeliveries: listWebhookDeliveries(deps),
    resendWebhookDelivery: resendWebhookDelivery(deps),
  };
}
