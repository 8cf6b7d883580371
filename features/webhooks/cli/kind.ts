import type { Found, Kind, World } from '../../../cli/apply/kind.ts';
import { type Members, membersAt, textAt, textsAt } from '../../../cli/lib/values.ts';
import { findWebhooks, webhooksPath } from './webhooks.ts';

/** The service generates the signing secret of a webhook whose spec names none, and keeps it. */
const kept = ['secretRef', 'previousSecretRef', 'previousSecretExpiresAt'];

export const webhookKind: Kind = {
  kind: 'Webhook',
  rank: () => 7,
  async find(world, { name }) {
    for await (const webhook of list(world, `metadata.name == ${name}`)) return webhook;
    return undefined;
  },
  normalized(_world, { spec }, found) {
    if (spec.secretRef !== undefined) return spec;
    const stored = Object.entries(found?.spec ?? {}).filter(([member]) => kept.includes(member));
    return { ...Object.fromEntries(stored), ...spec };
  },
  refusal: () => undefined,
  async create({ client, signal, context }, { name, labels, spec }) {
    const body = { name, metadata: { labels }, spec };
    const { secret, ...webhook }: Members = await client.request<Members>('POST', webhooksPath, {
      body,
      signal,
    });
    if (secret !== undefined) {
      context.ui.note(`Its signing secret is not shown here: slipway webhook rotate-secret ${name}`);
    }
    return webhook;
  },
  update({ client, signal }, { manifest, found }) {
    const body = { metadata: { labels: manifest.labels }, spec: manifest.spec };
    return client.request('PUT', `${webhooksPath}/${found.id}`, { body, signal });
  },
  async remove({ client, signal }, { id }) {
    await client.request('DELETE', `${webhooksPath}/${id}`, { signal });
  },
  labelled: list,
};

async function* list({ client, signal }: World, selector: string): AsyncGenerator<Found> {
  for await (const webhook of findWebhooks(client, selector, signal)) {
    yield {
      id: textAt(webhook, 'id'),
      name: textAt(webhook, 'name'),
      object: webhook,
      labels: textsAt(webhook, 'metadata.labels'),
      spec: membersAt(webhook, 'spec'),
    };
  }
}
