import { type Client, isSlipwayError } from '../../../cli/lib/client.ts';
import { fail } from '../../../cli/lib/failure.ts';
import { textAt } from '../../../cli/lib/values.ts';

export const webhooksPath = '/v1alpha/webhooks';

/** Webhooks that a selector names, over all pages; all of them without one. */
export async function* findWebhooks(
  client: Client,
  selector: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  try {
    yield* client.webhooks.listAll({ selector }, { signal });
  } catch (error) {
    if (!isSlipwayError(error, 'NotFound')) throw error;
    // An installation without webhooks has none; in a workspace that is not found, this fails as well.
    await client.account.get({ signal });
  }
}

/** The webhook with this name or id. */
export async function findWebhook(client: Client, given: string, signal: AbortSignal): Promise<unknown> {
  for await (const webhook of findWebhooks(client, undefined, signal)) {
    if (textAt(webhook, 'name') === given || textAt(webhook, 'id') === given) return webhook;
  }
  throw fail('notFound', `There is no webhook "${given}" in this workspace.`, 'See: slipway webhook list');
}
