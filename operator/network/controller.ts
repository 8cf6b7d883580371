import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { watchNetworkChanges } from './caches.ts';
import type { NetworkDeps } from './deps.ts';
import { createLastBlocks } from './lastBlocks.ts';
import { createNetworkReconcile } from './reconcile.ts';

/** The network controller. Keys are uids. */
export function createNetworkController(deps: NetworkDeps, settings: ControllerSettings): Controller {
  const lastBlocks = createLastBlocks(deps);
  return defineController(
    {
      name: 'network',
      reconcile: createNetworkReconcile(deps, lastBlocks),
      objectOf: (uid) => deps.caches.networks.byIndex('uid', uid)[0],
      watch: ({ add }) =>
        stopAll([
          watchNetworkChanges(deps.caches, add),
          deps.engines.onChange(() => deps.wanted.waiting().forEach(add)),
          lastBlocks.stop,
        ]),
    },
    deps,
    settings,
  );
}
