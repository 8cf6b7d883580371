import { notFound } from '../../../apiserver/store/find.ts';
import { updateLive } from '../../../apiserver/store/updateLive.ts';
import { updatedAtAnnotation } from '../../../core/api/views/networkView.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { toRfc3339 } from '../../../core/lib/clock.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import { webhookType } from '../api/types.ts';
import type { WebhookResource } from '../api/webhook.ts';
import type { WebhookDeps } from './deps.ts';

type Webhook = Stored<WebhookResource>;

interface Change {
  webhook: Webhook;
  /** Of the request, if it has an Idempotency-Key. */
  mark?: string | undefined;
}

/** Changes the live webhook; what `change` returns has the time of the change unless nothing differs. */
export async function changeWebhook(
  deps: Pick<WebhookDeps, 'kube'>,
  { webhook: { metadata }, mark }: Change,
  change: (current: Webhook) => Webhook,
): Promise<Webhook> {
  const { namespace, name, uid } = metadata;
  const updatedAt = toRfc3339(await deps.kube.serverTimeMs());
  const target = { type: webhookType, namespace, name, mark, absent: () => notFound('Webhook') };
  return updateLive(deps.kube, target, (current) => {
    if (current.metadata.uid !== uid) throw notFound('Webhook');
    const next = change(current);
    if (stableJson(next) === stableJson(current)) return current;
    const all = { ...next.metadata.annotations, [updatedAtAnnotation]: updatedAt };
    return { ...next, metadata: { ...next.metadata, annotations: all } };
  });
}
