import { compact } from '../../core/lib/compact.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import { watchWorkspaceChanges } from './caches.ts';
import type { WorkspaceDeps } from './deps.ts';
import { createWorkspaceReconcile } from './reconcile.ts';

interface ControllerSettings {
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** The controller of workspaces, for one term of leadership. */
export function createWorkspaceController(deps: WorkspaceDeps, settings: ControllerSettings): Controller {
  const { clock, log } = deps;
  const name = 'workspace';
  const metrics = settings.metrics?.(name);
  const common = { clock, ...compact({ metrics }) };
  const queue = createWorkQueue(common);
  const reconcile = createWorkspaceReconcile(deps);
  const controller = createController({ ...common, name, queue, reconcile, workers: settings.workers, log });
  return {
    name,
    async run(signal) {
      const stopWatching = watchWorkspaceChanges(deps.caches, (id) => queue.add(id));
      await controller.run(signal);
      stopWatching();
    },
  };
}
