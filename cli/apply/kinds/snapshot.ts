import { snapshotWait } from '../../commands/snapshot.ts';
import { textAt } from '../../lib/values.ts';
import { waitUntil } from '../../lib/wait.ts';
import { networkWait } from '../../network/look.ts';
import { type Kind, never } from '../kind.ts';
import { requireNetworkId } from './network.ts';

export const snapshotKind: Kind = {
  kind: 'Snapshot',
  rank: () => 2,
  async find({ client, signal }, { name }) {
    for await (const snapshot of client.snapshots.listAll(
      { selector: `metadata.name == ${name}` },
      { signal },
    )) {
      const { id, metadata, spec } = snapshot;
      return { id, name, labels: metadata.labels ?? {}, spec: { ...spec }, object: snapshot };
    }
    return undefined;
  },
  refusal: never('a Snapshot'),
  async create(world, { name, labels, spec, place }) {
    const { client, context, options, planned, signal } = world;
    const network = textAt(spec, 'network');
    const id = await requireNetworkId(world, { place }, network);
    // A network of the same manifests may not run yet; another one is the user's to wake.
    if (planned.has(network)) {
      await waitUntil(context, networkWait(client, { id, name: network }, { state: 'Operational' }), options);
    }
    return client.snapshots.create(id, { name, metadata: { labels } }, { signal });
  },
  async update() {},
  async remove({ client, signal }, { id }) {
    await client.snapshots.delete(id, { signal });
  },
  wait: ({ client }, found) => snapshotWait(client, found),
  labelled: ({ client, signal }, selector) => client.snapshots.listAll({ selector }, { signal }),
};
