import type { Token } from '../../../sdk/src/generated/types.ts';
import { tokenWait } from '../../commands/token/show.ts';
import { isMembers, listAt, type Members, textAt } from '../../lib/values.ts';
import {
  type Found,
  type Kind,
  manifestLabel,
  type Update,
  userLabels,
  type World,
  withManifestLabel,
} from '../kind.ts';
import { networkIdOf, requireNetworkId } from './network.ts';

/** A network of a token in a manifest: by name, with its args. */
interface Wanted {
  network: string;
  args: Members;
}

export const tokenKind: Kind = {
  kind: 'Token',
  rank: () => 5,
  async find(world, { name }) {
    const { client, signal } = world;
    const selector = `metadata.labels.${manifestLabel} == ${name}`;
    for await (const token of client.tokens.listAll({ selector }, { signal }))
      return foundOf(world, token, name);
    return undefined;
  },
  normalized: (_world, { spec }) => ({
    decimals: 18,
    ...spec,
    deployments: byNetwork(wantedOf(spec)),
  }),
  refusal({ changes }) {
    const fixed = changes.map(({ path }) => path).filter((path) => !/^spec\.deployments\.[^.]+$/.test(path));
    if (fixed.length === 0) return undefined;
    return `a Token takes only other networks (${fixed.join(', ')} cannot be changed): delete it first, or use another name`;
  },
  async create(world, manifest) {
    const { client, signal } = world;
    const { type, mechanism, deployments: _deployments, ...spec } = manifest.spec;
    const path = [textAt({ type }, 'type').toLowerCase(), textAt({ mechanism }, 'mechanism')]
      .filter(Boolean)
      .join('/');
    const entries = wantedOf(manifest.spec).map(async ({ network, args }) => ({
      network_id: await requireNetworkId(world, manifest, network),
      args,
    }));
    const body = {
      ...spec,
      metadata: { labels: withManifestLabel(manifest) },
      deployments: await Promise.all(entries),
    };
    return client.request('POST', `/transaction/v1alpha1/transaction/token/${path}/deploy`, { body, signal });
  },
  update,
  async remove({ client, signal }, { id }) {
    await client.tokens.delete(id, { signal });
  },
  wait: ({ client }, { id, name }) => tokenWait(client, { id, symbol: name }),
  async *labelled({ client, signal }, selector) {
    for await (const { id, symbol, metadata } of client.tokens.listAll({ selector }, { signal })) {
      yield { id, name: metadata?.labels?.[manifestLabel] ?? symbol };
    }
  },
};

async function update(world: World, { manifest, found, changes }: Update): Promise<unknown> {
  const { client, signal } = world;
  const wanted = new Map(wantedOf(manifest.spec).map((one) => [one.network, one]));
  for (const { path, after } of changes) {
    const network = path.split('.')[2] ?? '';
    const network_id = (await networkIdOf(world, network)) ?? network;
    const entry = wanted.get(network);
    if (after === undefined)
      await client.tokens.deleteDeployment({ token_id: found.id, network_id }, { signal });
    else
      await client.tokens.addDeployments(found.id, { networks: [network_id], args: entry?.args }, { signal });
  }
  return client.tokens.get(found.id, { signal });
}

async function foundOf({ client, signal }: World, token: Token, name: string): Promise<Found> {
  const names = new Map<string, string>();
  for await (const network of client.networks.listAll({}, { signal })) names.set(network.id, network.name);
  const { id, symbol, decimals, type, mechanism, spec, metadata, deployments = [] } = token;
  const entries = deployments.map(({ network_id, args = {} }) => ({
    network: names.get(network_id) ?? network_id,
    args,
  }));
  return {
    id,
    name,
    labels: userLabels(metadata?.labels),
    object: token,
    spec: { name: token.name, symbol, decimals, type, mechanism, spec, deployments: byNetwork(entries) },
  };
}

function wantedOf(spec: Members): Wanted[] {
  return listAt(spec, 'deployments').flatMap((entry) => {
    if (!isMembers(entry)) return [];
    return { network: textAt(entry, 'network'), args: isMembers(entry.args) ? entry.args : {} };
  });
}

/** By the name of the network, so that the order does not matter; args are compared as one value. */
function byNetwork(entries: readonly Wanted[]): Members {
  const sorted = (args: Members) =>
    Object.fromEntries(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));
  return Object.fromEntries(
    entries.map(({ network, args }) => [network, { args: JSON.stringify(sorted(args)) }]),
  );
}
