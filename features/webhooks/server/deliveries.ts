import { chargeRecords } from '../../../apiserver/http/limits/price.ts';
import { listPage } from '../../../apiserver/http/paging/list.ts';
import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { livePages } from '../../../apiserver/store/livePages.ts';
import { idOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import { operations } from '../../../core/api/operations/operations.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { maxBatchDeliveries, type WebhookBatchResource } from '../api/batch.ts';
import type { WebhookDelivery } from '../api/deliveries.ts';
import { webhookBatchType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';
import { toDeliveries } from '../core/batches.ts';
import type { WebhookDeps } from './deps.ts';
import { describeWebhook } from './mapping.ts';

const pageSize = 100;
/** Later than any event. */
const farMs = 9_999_999_999_999;

/** The deliveries of a webhook, newest first, read live: the queue is only cached by the operator. */
export function listWebhookDeliveries(deps: WebhookDeps): Handler<'listWebhookDeliveries'> {
  return async ({ principal, params, query, charge }) => {
    const webhook = await deps.find(principal.namespace, params.id);
    const found: Listed[] = [];
    for await (const batch of batchesOf(deps, webhook)) {
      toDeliveries(batch).forEach((delivery, at) => {
        found.push({ delivery, key: keyOf(batch, delivery, at) });
      });
    }
    chargeRecords(charge, found.length);
    found.sort((one, other) => (one.key < other.key ? -1 : 1));
    const { json } = listPage<Listed>(
      {
        kind: 'WebhookDeliveryList',
        version: 'v1alpha',
        principal,
        query,
        endpoint: `listWebhookDeliveries/${params.id}`,
        selectable: operations.listWebhookDeliveries.selectable,
        itemsFor: () => found,
        keyOf: ({ key }) => key,
        readField: ({ delivery }, field) => readField(delivery, field),
        toJson: ({ delivery }) => JSON.stringify(delivery),
      },
      deps.cursors,
    );
    return { json, objects: [describeWebhook(webhook)] };
  };
}

interface Listed {
  delivery: WebhookDelivery;
  /** Ascending from the newest to the oldest. */
  key: string;
}

/** Events of the same second are in the order of their batches. */
function keyOf({ spec }: WebhookBatchResource, { createdAt, id }: WebhookDelivery, at: number): string {
  const timeLeft = String(farMs - (parseRfc3339(createdAt) ?? 0)).padStart(16, '0');
  const batchLeft = String(farMs - spec.sequence).padStart(16, '0');
  const indexLeft = String(maxBatchDeliveries - at).padStart(4, '0');
  return `${timeLeft}/${batchLeft}/${indexLeft}/${id}`;
}

function readField(delivery: WebhookDelivery, field: string): string | undefined {
  const { state, type, trigger, eventID } = delivery;
  return new Map(Object.entries({ state, type, trigger, eventID })).get(field);
}

async function* batchesOf(
  { kube }: WebhookDeps,
  webhook: Stored<WebhookResource>,
): AsyncGenerator<Stored<WebhookBatchResource>> {
  const { namespace } = webhook.metadata;
  const id = idOf(webhook);
  const options = { namespace, labelSelector: `${labels.webhook}=${id}`, limit: pageSize };
  for await (const { items } of livePages(kube, webhookBatchType, options)) {
    // Anybody may copy a label.
    yield* items.filter(({ spec }) => spec.webhookID === id);
  }
}
