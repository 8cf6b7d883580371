import type { Keyring } from '../../../core/accounts/keyring.ts';
import { byAge, idOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { isFork } from '../../../core/api/rules/forking.ts';
import { historyOf } from '../../../core/api/rules/history.ts';
import { type ChosenPlugin, pluginsOf } from '../../../core/api/rules/plugins.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { accessEpochsOf } from '../../../core/networks/accessEpochs.ts';
import { keyScopesOf } from '../../../core/networks/keyScopes.ts';
import { profileOf } from '../../../core/networks/profiles.ts';
import type { Plugin } from '../../../core/plugins/plugin.ts';
import { plugins as allPlugins, type PluginRegistry } from '../../../core/plugins/registry.ts';
import type { NetworkLookup, NetworkShape, RpcNetwork } from '../deps.ts';

/** The gateway's view of the cache of networks, which must have the indexes `uid` and `anyId`. */
export function createNetworkLookup(
  reflector: Pick<Reflector<NetworkResource>, 'byIndex' | 'onChange'>,
  accessKeys: Keyring,
  registered: PluginRegistry = allPlugins,
): NetworkLookup {
  // Every call asks several times. Objects in the cache are replaced, never modified, so a view is valid until the next change.
  const views = new Map<string, RpcNetwork>();
  reflector.onChange(({ object }) => views.delete(object.metadata.uid));
  const viewOfStored = (network: Stored<NetworkResource>) => {
    const { uid } = network.metadata;
    const view = views.get(uid) ?? viewOf(network, { accessKeys, registered });
    views.set(uid, view);
    return view;
  };
  return {
    find(uid) {
      const known = views.get(uid);
      if (known) return known;
      const [network] = reflector.byIndex('uid', uid);
      return network && viewOfStored(network);
    },
    at(id) {
      const found = reflector.byIndex('anyId', id);
      return found.length > 1 ? byAge(found).map(viewOfStored) : found.map(viewOfStored);
    },
    onChange: (listener) => reflector.onChange(({ object }) => listener(object.metadata.uid, idOf(object))),
  };
}

interface ViewDeps {
  accessKeys: Keyring;
  registered: PluginRegistry;
}

/** What determines which services a network has, apart from plugins. */
export function shapeOf({ spec, status }: NetworkResource): NetworkShape {
  return {
    type: spec.chain.type,
    participants: participantsOf(spec),
    ...compact({ profile: profileOf(spec.chain, status) }),
  };
}

function viewOf(network: Stored<NetworkResource>, { accessKeys, registered }: ViewDeps): RpcNetwork {
  const { metadata, spec, status } = network;
  const plugins = pluginsOf(spec.chain);
  const failedServices = failuresOf(plugins, status, registered);
  return {
    uid: metadata.uid,
    id: idOf(network),
    name: metadata.name,
    namespace: metadata.namespace,
    ...shapeOf(network),
    ...(plugins.length === 0 ? {} : { plugins, ...compact({ failedServices }) }),
    state: status?.state,
    ...compact({ message: status?.message }),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isFork: isFork(spec) || !isSettled(status, metadata.generation),
    ...(historyOf(spec.chain) === undefined ? {} : { hasHistory: true }),
    keyScopes: keyScopesOf(network, accessKeys),
    accessEpochs: accessEpochsOf({ spec, ...compact({ status }) }),
  };
}

/** What the services of plugins in state Error answer; undefined when there are none. */
function failuresOf(
  chosen: readonly ChosenPlugin[],
  status: NetworkResource['status'],
  registered: PluginRegistry,
): RpcNetwork['failedServices'] {
  const failures = chosen.flatMap(({ name, config }) => {
    const { state, message = '' } = status?.plugins?.[name] ?? {};
    const plugin: Plugin | undefined = registered[name];
    if (state !== 'Error' || !plugin) return [];
    const text = `the plugin ${name} is in state Error: ${message}`;
    return Object.keys(plugin.services(config)).map((service) => [service, text] as const);
  });
  return failures.length === 0 ? undefined : Object.fromEntries(failures);
}

/** Whether the engine that runs is the one of the spec; before that it may still be the fork that the network was. */
function isSettled(status: NetworkResource['status'], generation: number | undefined): boolean {
  return status?.state === 'Operational' && status.observedGeneration === generation;
}

function participantsOf({ chain }: NetworkResource['spec']): number {
  return (chain.ethereum?.participants ?? []).reduce((sum, { count = 1 }) => sum + count, 0);
}
