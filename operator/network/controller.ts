import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { watchNetworkChanges } from './caches.ts';
import { createNetworkReconcile, type NetworkDeps } from './reconcile.ts';

/** The network controller. Keys are uids. */
export function createNetworkController(deps: NetworkDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'network',
      reconcile: createNetworkReconcile(deps),
      watch: (keys) => watchNetworkChanges(deps.caches, keys.add),
    },
    deps,
    settings,
  );
}
