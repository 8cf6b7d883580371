import { dryRun } from '../../../sdk/src/dryRun.ts';
import { fail } from '../../lib/failure.ts';
import { type Kind, never } from '../kind.ts';

export const secretKind: Kind = {
  kind: 'Secret',
  rank: () => 0,
  hidden: ['spec.data'],
  async find({ client, signal }, { name }) {
    // With a condition on the owner, the list is that of the workspace: kubectl's secrets have none.
    const selector = `metadata.name == ${name} && metadata.ownerID != "-"`;
    for await (const { id } of client.secrets.listAll({ selector }, { signal })) {
      const secret = await client.secrets.get(id, { signal });
      const { type, data, metadata } = secret;
      return {
        id,
        name,
        labels: metadata.labels ?? {},
        spec: { type, data },
        object: { ...secret, data: undefined },
      };
    }
    return undefined;
  },
  normalized(_world, { spec, name, place }, found) {
    // Another owner's data is not shown: what cannot be compared is taken as equal.
    if (typeof spec.data === 'string' && spec.data.includes(':')) {
      throw fail(
        'usage',
        `${place}: the data of Secret "${name}" is sealed, as "kubectl get" shows it.`,
        'Write the base64 of its bytes; only the cluster that sealed it can open it.',
      );
    }
    return found && found.spec.data === undefined ? { ...spec, data: undefined } : spec;
  },
  refusal: never('a Secret'),
  check({ client, signal }, { manifest: { name, labels, spec } }) {
    const body = { name, metadata: { labels }, ...spec };
    return client.request('POST', '/v1alpha/secrets', { body, signal, ...dryRun });
  },
  async create({ client, signal }, { name, labels, spec }) {
    const body = { name, metadata: { labels }, ...spec };
    const secret = await client.request<Record<string, unknown>>('POST', '/v1alpha/secrets', {
      body,
      signal,
    });
    return { ...secret, data: undefined };
  },
  async update() {},
  async remove({ client, signal }, { id }) {
    await client.secrets.delete(id, { signal });
  },
  labelled: ({ client, signal }, selector) => client.secrets.listAll({ selector }, { signal }),
};
