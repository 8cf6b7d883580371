import { type Kind, never, type World } from '../../../cli/apply/kind.ts';
import { networkIdOf, requireNetworkId } from '../../../cli/apply/kinds/network.ts';
import { listAt, textAt } from '../../../cli/lib/values.ts';
import type { RpcKey } from '../../../sdk/src/generated/types.ts';

/** Of a key: the network that it opens, and its name. */
const separator = '/';

export const rpcKeyKind: Kind = {
  kind: 'RpcKey',
  // After its network.
  rank: () => 2,
  async find(world, { name, spec, labels }) {
    const network = textAt(spec, 'network');
    const id = await networkIdOf(world, network);
    const key = id === undefined ? undefined : (await keysOf(world, id)).find((one) => one.name === name);
    // Keys have no labels over REST: those of the manifest are not a change.
    return key && { id: [id, name].join(separator), name, labels, spec: specOf(key, network), object: key };
  },
  refusal: never('an RpcKey'),
  async create(world, { name, spec, place }) {
    const network = textAt(spec, 'network');
    const id = await requireNetworkId(world, { place }, network);
    const methods = listAt(spec, 'methods').map(String);
    const expiresAt = textAt(spec, 'expiresAt') || undefined;
    const { client, signal, context } = world;
    const key = await client.networks.createKey(
      id,
      { name, expiresAt, ...(methods.length > 0 ? { methods } : {}) },
      { signal },
    );
    context.ui.note(`Its URL: slipway network keys list ${network}`);
    return key;
  },
  async update() {},
  async remove({ client, signal }, { id: place }) {
    const [id = '', name = ''] = place.split(separator);
    await client.networks.revokeKey({ id, name }, { signal });
  },
  // Keys have no labels over REST.
  async *labelled() {},
};

const keysOf = async ({ client, signal }: World, id: string): Promise<RpcKey[]> =>
  (await client.networks.listKeys(id, { signal })).items;

function specOf({ expiresAt, methods }: RpcKey, network: string): Record<string, unknown> {
  return { network, ...(expiresAt ? { expiresAt } : {}), ...(methods ? { methods } : {}) };
}
