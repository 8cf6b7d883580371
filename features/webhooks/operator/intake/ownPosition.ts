import { parseVersion, versionOf } from '../../../../core/kube/objects.ts';
import { webhookType } from '../../api/types.ts';
import type { Webhook, WebhookDeps } from '../deps.ts';

/**
 * Whether the positions in the status of a webhook are its own. An object that was restored has those of the one that is in the backup:
 * revisions of another time, and perhaps of another cluster.
 */
export function hasOwnPosition(webhook: Webhook): boolean {
  const {
    metadata: { uid },
    status,
  } = webhook;
  const { since, positionOf = uid } = status ?? {};
  // That of an earlier release does not say whose they are.
  return positionOf === uid && parseVersion(since ?? '') <= versionOf(webhook);
}

/** Has a webhook begin at a version, with positions of its own. Call it once its receiver will be told of the gap. */
export async function beginAgain(
  { kube, caches }: Pick<WebhookDeps, 'kube' | 'caches'>,
  { metadata: { uid, namespace, name } }: Webhook,
  version: string,
): Promise<void> {
  const status = { since: version, cursor: null, positionOf: uid };
  const body = { metadata: { uid }, status };
  caches.webhooks.observe(await kube.patch(webhookType, { namespace, name }, body, 'status'));
}
