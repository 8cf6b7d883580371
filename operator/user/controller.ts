import { defaultKeyName, labels } from '../../core/api/names.ts';
import { compact } from '../../core/lib/compact.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import type { UserDeps } from './deps.ts';
import { createUserReconcile } from './reconcile.ts';

interface ControllerSettings {
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** The controller of users, for one term of leadership. */
export function createUserController(deps: UserDeps, settings: ControllerSettings): Controller {
  const { clock, log } = deps;
  const name = 'user';
  const metrics = settings.metrics?.(name);
  const common = { clock, ...compact({ metrics }) };
  const queue = createWorkQueue(common);
  const reconcile = createUserReconcile(deps);
  const controller = createController({ ...common, name, queue, reconcile, workers: settings.workers, log });
  return {
    name,
    async run(signal) {
      const stopWatching = watchUserChanges(deps, (id) => queue.add(id));
      await controller.run(signal);
      stopWatching();
    },
  };
}

/** Calls `add` with the id of each user that a change may concern; the answer ends that. */
function watchUserChanges({ caches, secrets }: UserDeps, add: (id: string) => void): () => void {
  const stops = [
    caches.users.onChange(({ object }) => add(object.metadata.name)),
    caches.workspaces.onChange(({ object }) => object.spec.owners.forEach(add)),
    caches.memberships.onChange(({ type, object }) => {
      if (type === 'set') add(object.spec.user);
    }),
    secrets.onChange(({ object: { metadata } }) => {
      const owner = metadata.labels?.[labels.owner];
      if (metadata.name === defaultKeyName && owner !== undefined) add(owner);
    }),
  ];
  for (const { metadata } of caches.users.list()) add(metadata.name);
  // An account may have gone while nobody looked.
  for (const { spec } of caches.memberships.list()) add(spec.user);
  return () => stops.forEach((stop) => void stop());
}
