import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { notFound } from '../../../apiserver/store/find.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import { webhookType } from '../api/types.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook } from './mapping.ts';

/** Deletes a webhook. Kubernetes deletes its queue and its generated secrets, which name it as their owner. */
export function deleteWebhook(deps: WebhookDeps): Handler<'deleteWebhook'> {
  return async ({ principal, params }) => {
    const webhook = await deps.find(principal.namespace, params.id);
    const { uid } = webhook.metadata;
    const options = { uid, propagationPolicy: 'Background' } as const;
    const wasThere = await forCaller(deps.kube.delete(webhookType, webhook.metadata, options));
    if (!wasThere) throw notFound('Webhook');
    return answerWebhook(webhook, principal);
  };
}
