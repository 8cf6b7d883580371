import { randomBytes } from 'node:crypto';
import type { ReplayResource } from '../../core/api/resources/replayResource.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { keyOf, refOf } from '../../core/kube/objects.ts';
import { isOrdered, isOver } from '../../core/replays/runs.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController, type Keys } from '../runtime/defineController.ts';
import { createReplayReconcile, type PerformDeps } from './reconcile.ts';

export interface ReplayDeps extends Omit<PerformDeps, 'holder'> {
  caches: { replays: Pick<Reflector<ReplayResource>, 'get' | 'list' | 'onChange'> };
}

/** Replays that are performed in parallel: each has some megabytes in memory. */
const workers = 32;
const longestRetryMs = 30_000;

/** The controller of replays; a key is the `namespace/name` of a run. */
export function createReplayController(deps: ReplayDeps, settings: ControllerSettings): Controller {
  const holder = randomBytes(8).toString('hex');
  return defineController(
    {
      name: 'replay',
      workers,
      longestRetryMs,
      reconcile: createReplayReconcile({ ...deps, holder }),
      objectOf: (key) => deps.caches.replays.get(refOf(key)),
      namespaceOf: (key) => refOf(key).namespace,
      watch: (keys) => watchReplays(deps.caches.replays, holder, keys),
    },
    deps,
    settings,
  );
}

/** Changes of a run that this process holds are ignored: they would end its back-off. */
function watchReplays(replays: ReplayDeps['caches']['replays'], holder: string, { add }: Keys): () => void {
  const see = (run: Stored<ReplayResource>) => {
    if (isOrdered(run) && !isOver(run)) add(keyOf(run.metadata));
  };
  replays.list().forEach(see);
  return replays.onChange(({ type, object }) => {
    if (type === 'set' && object.spec.holder !== holder) see(object);
  });
}
