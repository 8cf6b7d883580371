import type { Recording } from '../../../sdk/src/generated/types.ts';
import { listAt, textAt } from '../../lib/values.ts';
import { type Found, type Kind, manifestLabel, userLabels, type World, withManifestLabel } from '../kind.ts';
import { requireNetworkId } from './network.ts';

export const recordingKind: Kind = {
  kind: 'Recording',
  rank: () => 6,
  async find(world, { name }) {
    const { client, signal } = world;
    const selector = `metadata.labels.${manifestLabel} == ${name}`;
    const [recording] = await client.recordings.list({ selector }, { signal });
    return recording ? foundOf(world, recording, name) : undefined;
  },
  normalized: (_world, { spec }) => ({
    ...spec,
    stopped: spec.stopped === true,
    userAddress: textAt(spec, 'userAddress').toLowerCase(),
    networks: [...listAt(spec, 'networks')].sort(),
  }),
  refusal({ changes }) {
    const others = changes.filter(({ path, after }) => path !== 'spec.stopped' || after !== true);
    if (others.length === 0) return undefined;
    const paths = others.map(({ path }) => path).join(', ');
    return `a Recording can only be stopped (${paths} cannot be changed): delete it first, or use another name`;
  },
  async create(world, manifest) {
    const { client, signal } = world;
    const networkIds = await Promise.all(
      listAt(manifest.spec, 'networks').map((network) => requireNetworkId(world, manifest, network)),
    );
    const userAddress = textAt(manifest.spec, 'userAddress');
    const body = { userAddress, networkIds, metadata: { labels: withManifestLabel(manifest) } };
    const { recordingId } = await client.recordings.start(body, { signal });
    if (manifest.spec.stopped === true) await client.recordings.stop({ recordingId }, { signal });
    return client.recordings.get(recordingId, { signal });
  },
  update: ({ client, signal }, { found }) => client.recordings.stop({ recordingId: found.id }, { signal }),
  async remove({ client, signal }, { id }) {
    await client.recordings.delete(id, { signal });
  },
  async *labelled({ client, signal }, selector) {
    for (const { id, metadata } of await client.recordings.list({ selector }, { signal })) {
      yield { id, name: metadata?.labels?.[manifestLabel] ?? id };
    }
  },
};

async function foundOf({ client, signal }: World, recording: Recording, name: string): Promise<Found> {
  const names = new Map<string, string>();
  for await (const network of client.networks.listAll({}, { signal })) names.set(network.id, network.name);
  const { id, user_address, network_ids, state, end_timestamp, metadata } = recording;
  return {
    id,
    name,
    labels: userLabels(metadata?.labels),
    object: recording,
    spec: {
      userAddress: user_address.toLowerCase(),
      networks: network_ids.map((network) => names.get(network) ?? network).sort(),
      stopped: state === 'recorded' || end_timestamp !== undefined,
    },
  };
}
