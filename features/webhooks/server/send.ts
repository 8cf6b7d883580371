import type { Handler, Reply } from '../../../apiserver/http/pipeline/handler.ts';
import { createOnce } from '../../../apiserver/store/createOnce.ts';
import { notFound } from '../../../apiserver/store/find.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import { idOf } from '../../../core/api/ids.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { WebhookDelivery } from '../api/deliveries.ts';
import { webhookBatchType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';
import { type BatchContent, bodiesOf, newBatch, parseDeliveryId, toDeliveries } from '../core/batches.ts';
import { queueOwnEvent } from '../core/ownEvents.ts';
import type { WebhookDeps } from './deps.ts';
import { describeWebhook, toWebhook } from './mapping.ts';

/** Queues an event with the webhook itself as its object. */
export function testWebhook(deps: WebhookDeps): Handler<'testWebhook'> {
  return async ({ principal, params, random, idempotencyMark: mark }) => {
    const webhook = await deps.find(principal.namespace, params.id);
    checkMaySend(webhook);
    const id = random('test event', 8).toString('hex');
    const event = queueOwnEvent({
      id: `evt_test_${id}`,
      type: 'webhook.test',
      createdAt: toRfc3339(await deps.kube.serverTimeMs()),
      workspace: principal.workspaceId,
      object: toWebhook(webhook, principal.workspaceId),
    });
    return queue(deps, webhook, { trigger: 'test', suffix: `t${id}`, events: [event], mark });
  };
}

/** Queues the event of a delivery once more. */
export function resendWebhookDelivery(deps: WebhookDeps): Handler<'resendWebhookDelivery'> {
  return async ({ principal, params, random, idempotencyMark: mark }) => {
    const webhook = await deps.find(principal.namespace, params.id);
    const { namespace } = webhook.metadata;
    const id = idOf(webhook);
    const place = parseDeliveryId(params.deliveryId);
    const ref = { namespace, name: `${id}-${place?.suffix}` };
    const batch = place && (await forCaller(deps.kube.get(webhookBatchType, ref)));
    const entry = place && batch?.spec.entries[place.index];
    if (!entry || batch.spec.webhookID !== id) throw notFound('Delivery');
    checkMaySend(webhook);
    const body = (await bodiesOf(batch))[place.index] ?? '';
    const suffix = `r${random('resend', 8).toString('hex')}`;
    // A key of its own: it waits for no other delivery of the object, and none waits for it.
    const event = { ...entry, key: suffix, body };
    return queue(deps, webhook, { trigger: 'resend', suffix, events: [event], mark });
  };
}

function checkMaySend({ spec, status }: Stored<WebhookResource>): void {
  if (status?.state !== 'Paused' && !spec.paused) return;
  throw new AppError(
    'Conflict',
    'the webhook is paused, so nothing is sent: resume it first (POST …/resume)',
  );
}

interface Queued extends Omit<BatchContent, 'sequence'> {
  mark: string | undefined;
}

async function queue(
  { kube }: WebhookDeps,
  webhook: Stored<WebhookResource>,
  { mark, ...content }: Queued,
): Promise<Reply<WebhookDelivery>> {
  const object = await newBatch(webhook, { ...content, sequence: 0 });
  const [body] = toDeliveries(await createOnce(kube, { type: webhookBatchType, object, mark }));
  if (!body) throw new AppError('Internal', 'the batch has no delivery');
  return { body, objects: [describeWebhook(webhook)] };
}
