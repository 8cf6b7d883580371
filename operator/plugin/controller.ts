import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import { pluginsOf } from '../../core/api/rules/plugins.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { ownerIndex } from '../../core/kube/ownedBy.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { type PluginDeps, pluginKey } from './deps.ts';
import { createPluginReconcile } from './reconcile.ts';

/** Plugins whose steps are taken in parallel. Most of that time is spent waiting for nodes, and some never answer. */
const workers = 64;
const longestRetryMs = 30_000;

/** The controller of networks' plugins: takes their steps and writes status.plugins. */
export function createPluginController(deps: PluginDeps, settings: ControllerSettings): Controller {
  const networkOf = (key: string) => deps.caches.networks.byIndex('uid', key.split('/')[0] ?? '')[0];
  return defineController(
    {
      name: 'plugin',
      workers,
      longestRetryMs,
      reconcile: createPluginReconcile(deps),
      objectOf: networkOf,
      namespaceOf: (key) => networkOf(key)?.metadata.namespace,
      watch: (keys) => watchPlugins(deps, keys.add),
    },
    deps,
    settings,
  );
}

function watchPlugins({ caches, board }: PluginDeps, add: (key: string) => void): () => void {
  const addAll = (network: Stored<NetworkResource>) => {
    for (const name of namesOf(network)) add(pluginKey(network.metadata.uid, name));
  };
  caches.networks.list().forEach(addAll);
  return stopAll([
    caches.networks.onChange(({ object }) => addAll(object)),
    caches.pods.onChange(({ object }) => {
      const name = object.metadata.labels?.[labels.plugin];
      if (name === undefined) return;
      for (const uid of ownersOf(object)) add(pluginKey(uid, name));
    }),
    board.onPost((uid) => caches.networks.byIndex('uid', uid).forEach(addAll)),
  ]);
}

const ownersOf = ownerIndex(networkType.kind);

/** Those in the spec, and those that have left it and are still in the status. */
function namesOf({ spec, status }: NetworkResource): Set<string> {
  return new Set([...pluginsOf(spec.chain).map(({ name }) => name), ...Object.keys(status?.plugins ?? {})]);
}
