import { workspaceIdOf } from '../../core/accounts/ids.ts';
import type { Pod } from '../../core/kube/types.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { createWarmModels } from './models.ts';
import { createPoolReconcile, type PoolDeps } from './reconcile.ts';
import { isWaiting } from './waitingPod.ts';

/** The controller of the pods that wait for networks. Keys are workspace ids. */
export function createPoolController(deps: PoolDeps, settings: ControllerSettings): Controller {
  const { caches, pools, installation, engines } = deps;
  const idOf = (namespace: string) => workspaceIdOf(namespace, installation.defaultWorkspace);
  return defineController(
    {
      name: 'warm',
      workers: 1,
      reconcile: createPoolReconcile(deps),
      watch({ add }) {
        const addAll = () => {
          for (const { metadata } of caches.workspaces.list()) add(metadata.name);
        };
        const addOf = (pod: Pod) => isWaiting(pod) && add(idOf(pod.metadata.namespace ?? ''));
        const stop = stopAll([
          pools.onChange((namespace) => (namespace === undefined ? addAll() : add(idOf(namespace)))),
          // Pods of another image wait in vain.
          engines.onChange(addAll),
          caches.workspaces.onChange(({ object }) => add(object.metadata.name)),
          caches.pods.onChange(({ object }) => void addOf(object)),
        ]);
        recallUses(deps);
        caches.pods.list().forEach(addOf);
        addAll();
        return stop;
      },
    },
    deps,
    settings,
  );
}

/** What started before this operator led, as far as it still runs. */
function recallUses(deps: PoolDeps): void {
  const { caches, pools } = deps;
  const image = createWarmModels(deps)()?.spec.containers[0]?.image;
  for (const { metadata, spec } of caches.pods.list()) {
    const startedMs = parseRfc3339(metadata.creationTimestamp);
    if (isWaiting({ metadata }) || startedMs === undefined) continue;
    if (spec.containers[0]?.image === image) pools.used(metadata.namespace ?? '', startedMs);
  }
}
