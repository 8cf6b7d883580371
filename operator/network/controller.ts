import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { watchNetworkChanges } from './caches.ts';
import { createNetworkReconcile, type NetworkDeps } from './reconcile.ts';

interface ControllerSettings {
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** The controller of networks, for one term of leadership. */
export function createNetworkController(deps: NetworkDeps, settings: ControllerSettings): Controller {
  const { clock, log } = deps;
  const name = 'network';
  const metrics = settings.metrics?.(name);
  const common = { clock, ...(metrics ? { metrics } : {}) };
  const queue = createWorkQueue(common);
  const reconcile = createNetworkReconcile(deps);
  const controller = createController({ ...common, name, queue, reconcile, workers: settings.workers, log });
  return {
    name,
    async run(signal) {
      const stopWatching = watchNetworkChanges(deps.caches, (uid) => queue.add(uid));
      await controller.run(signal);
      stopWatching();
    },
  };
}
