import { type Client, isSlipwayError } from '../../../cli/lib/client.ts';
import { fail } from '../../../cli/lib/failure.ts';
import { listAt, type Members, textAt } from '../../../cli/lib/values.ts';

export const webhooksPath = '/v1alpha/webhooks';

/** Webhooks that a selector names, over all pages; all of them without one. */
export async function* findWebhooks(
  client: Client,
  selector: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  try {
    yield* pagesOf(client, { path: webhooksPath, query: { selector }, signal });
  } catch (error) {
    if (!isSlipwayError(error, 'NotFound')) throw error;
    // An installation without webhooks has none; in a workspace that is not found, this fails as well.
    await client.account.get({ signal });
  }
}

interface Listing {
  path: string;
  query: Members;
  signal: AbortSignal;
}

/** The items of any list of the API, over all pages. */
export async function* pagesOf(client: Client, { path, query, signal }: Listing): AsyncGenerator<unknown> {
  let cursor: string | undefined;
  do {
    const page: unknown = await client.request('GET', path, { query: { ...query, cursor }, signal });
    yield* listAt(page, 'items');
    cursor = textAt(page, 'metadata.cursor') || undefined;
  } while (cursor !== undefined);
}

/** The webhook with this name or id. */
export async function findWebhook(client: Client, given: string, signal: AbortSignal): Promise<unknown> {
  for await (const webhook of findWebhooks(client, undefined, signal)) {
    if (textAt(webhook, 'name') === given || textAt(webhook, 'id') === given) return webhook;
  }
  throw fail('notFound', `There is no webhook "${given}" in this workspace.`, 'See: slipway webhook list');
}
