import { listPage } from '../../../apiserver/http/paging/list.ts';
import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { operations } from '../../../core/api/operations/operations.ts';
import type { WebhookDeps } from './deps.ts';
import { answerWebhook, readWebhookField, toWebhook } from './mapping.ts';

/** The webhooks of the workspace by name. */
export function listWebhooks(deps: WebhookDeps): Handler<'listWebhooks'> {
  return async ({ principal, query }) => {
    const { json } = listPage(
      {
        kind: 'WebhookList',
        version: 'v1alpha',
        endpoint: 'listWebhooks',
        principal,
        query,
        selectable: operations.listWebhooks.selectable,
        itemsFor: () => deps.cache.inNamespace(principal.namespace),
        keyOf: ({ metadata }) => metadata.name,
        readField: readWebhookField,
        toJson: (webhook) => JSON.stringify(toWebhook(webhook, principal.workspaceId)),
      },
      deps.cursors,
    );
    return { json };
  };
}

export function getWebhook({ find }: WebhookDeps): Handler<'getWebhook'> {
  return async ({ principal, params }) =>
    answerWebhook(await find(principal.namespace, params.id), principal);
}
