import type { Handlers } from '../http/pipeline/handler.ts';
import { createWebhook } from './create.ts';
import { listWebhookDeliveries } from './deliveries.ts';
import type { WebhookDeps } from './deps.ts';
import { getWebhook, listWebhooks } from './read.ts';
import { deleteWebhook } from './remove.ts';
import { replaceWebhook } from './replace.ts';
import { resumeWebhook } from './resume.ts';
import { rotateWebhookSecret } from './rotate.ts';
import { resendWebhookDelivery, testWebhook } from './send.ts';

/** The handlers of all webhook operations. */
export function createWebhookHandlers(deps: WebhookDeps) {
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
  } satisfies Handlers;
}
