import { dryRun } from '../../../sdk/src/dryRun.ts';
import type { Network, NetworkSpec } from '../../../sdk/src/generated/types.ts';
import { fail } from '../../lib/failure.ts';
import { isMembers, type Members } from '../../lib/values.ts';
import { deletionWait, networkWait } from '../../network/look.ts';
import type { Found, Kind, World } from '../kind.ts';
import type { Manifest } from '../manifest.ts';

/** What "slipway network" asks for by the way stays unless a manifest names it. */
const kept = ['maintenanceRequest', 'accessKeyRotation'];

export const networkKind: Kind = {
  kind: 'Network',
  rank: ({ spec }) => (spec.from === undefined ? 1 : 3),
  async find({ client, signal }, { name }) {
    const selector = `metadata.name == ${name}`;
    for await (const network of client.networks.listAll({ selector }, { signal })) return foundOf(network);
    return undefined;
  },
  normalized(_world, { spec }, found) {
    const stored = Object.entries(found?.spec ?? {}).filter(([member]) => kept.includes(member));
    return { ...Object.fromEntries(stored), ...spec };
  },
  refusal({ changes }) {
    const isOtherType = changes.some(({ path }) => path === 'spec.chain.type');
    return isOtherType
      ? 'spec.chain.type is immutable: delete the network first, or use another name'
      : undefined;
  },
  check(world, { manifest, found }) {
    const { client, signal } = world;
    const [method, path] = found ? ['PUT', `/v1alpha/networks/${found.id}`] : ['POST', '/v1alpha/networks'];
    const { name, labels } = manifest;
    const spec = networkKind.normalized?.(world, manifest, found);
    const body = found ? { metadata: { labels }, spec } : { name, metadata: { labels }, spec };
    return client.request(method, path, { body, signal, ...dryRun });
  },
  create({ client, signal }, { name, labels, spec }) {
    return client.request('POST', '/v1alpha/networks', {
      body: { name, metadata: { labels }, spec },
      signal,
    });
  },
  update(world, { manifest, found }) {
    const { client, signal } = world;
    const rev = revOf(found.object);
    const spec = networkKind.normalized?.(world, manifest, found);
    const body = { metadata: { labels: manifest.labels, rev }, spec };
    return client.request('PUT', `/v1alpha/networks/${found.id}`, { body, signal });
  },
  async remove({ client, signal }, { id }) {
    await client.networks.delete(id, { signal });
  },
  wait: ({ client }, { object, ...found }) =>
    networkWait(client, found, { state: 'Operational', isTakenUp: isAt(object) }),
  removalWait: ({ client }, found) => deletionWait(client, found),
  labelled: ({ client, signal }, selector) => client.networks.listAll({ selector }, { signal }),
};

function foundOf(network: Network): Found {
  const { id, name, metadata, spec } = network;
  return { id, name, labels: metadata.labels ?? {}, spec: membersOf(spec), object: network };
}

function membersOf(spec: NetworkSpec): Members {
  return { ...spec };
}

function revOf(object: unknown): unknown {
  return isMembers(object) && isMembers(object.metadata) ? object.metadata.rev : undefined;
}

/** Whether the status describes the spec that was applied, not the one before. */
function isAt(object: unknown): (network: Network) => boolean {
  const rev = revOf(object);
  return ({ status }) => typeof rev !== 'number' || (status?.observedGeneration ?? rev) >= rev;
}

/** The same for the manifest at `place`, which needs it: fails without one. */
export async function requireNetworkId(
  world: World,
  { place }: Pick<Manifest, 'place'>,
  name: unknown,
): Promise<string> {
  const id = typeof name === 'string' ? await networkIdOf(world, name) : undefined;
  if (id) return id;
  throw fail('notFound', `${place}: there is no network "${name}".`, 'See: slipway network list');
}

/** The id of a network by its name. */
export async function networkIdOf({ client, signal }: World, name: string): Promise<string | undefined> {
  for await (const { id } of client.networks.listAll({ selector: `metadata.name == ${name}` }, { signal }))
    return id;
  return undefined;
}
