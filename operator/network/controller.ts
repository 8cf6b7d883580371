import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { watchNetworkChanges } from './caches.ts';
import { createHeads } from './heads.ts';
import { createNetworkReconcile, type NetworkDeps } from './reconcile.ts';

/** The network controller. Keys are uids. */
export function createNetworkController(deps: NetworkDeps, settings: ControllerSettings): Controller {
  const heads = createHeads(deps);
  return defineController(
    {
      name: 'network',
      reconcile: createNetworkReconcile(deps, heads),
      objectOf: (uid) => deps.caches.networks.byIndex('uid', uid)[0],
      watch: ({ add }) =>
        stopAll([
          watchNetworkChanges(deps.caches, add),
          deps.engines.onChange(() => deps.wanted.waiting().forEach(add)),
          heads.stop,
        ]),
    },
    deps,
    settings,
  );
}
