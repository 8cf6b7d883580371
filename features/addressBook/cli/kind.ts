import type { Kind, World } from '../../../cli/apply/kind.ts';
import { ours } from '../../../cli/lib/ours.ts';
import { type Members, textAt } from '../../../cli/lib/values.ts';
import type { AddressName } from '../../../sdk/src/generated/types.ts';

export const addressNameKind: Kind = {
  kind: 'AddressName',
  // Nothing refers to it.
  rank: () => 8,
  async find({ client, signal }, { name, labels }) {
    const { items } = await ours(client.addresses.list({ signal }), 'items');
    const entry = items.find(({ address }) => address === name);
    // Entries have no labels over REST: those of the manifest change nothing.
    return entry && { id: name, name, labels, spec: specOf(entry), object: entry };
  },
  refusal: () => undefined,
  create: (world, { name, spec }) => set(world, name, spec),
  update: (world, { found, manifest }) => set(world, found.id, manifest.spec),
  async remove({ client, signal }, { id }) {
    await client.addresses.remove(id, { signal });
  },
  async *labelled() {},
};

/** All that the manifest says, so that the service refuses what it does not know. */
function set({ client, signal }: World, address: string, spec: Members): Promise<AddressName> {
  return client.addresses.set(address, { ...spec, name: textAt(spec, 'name') }, { signal });
}

function specOf({ name, note }: AddressName): Members {
  return { name, ...(note === undefined ? {} : { note }) };
}
