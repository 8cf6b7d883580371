import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController, type Keys } from '../runtime/defineController.ts';
import { isOpen } from './caches.ts';
import { createSnapshotReconcile, type SnapshotDeps } from './reconcile.ts';

const longestRetryMs = 30_000;

/** The controller of snapshots. Its keys are namespaces: each has a budget, which is used one snapshot at a time. */
export function createSnapshotController(deps: SnapshotDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'snapshot',
      longestRetryMs,
      reconcile: createSnapshotReconcile(deps),
      namespaceOf: (namespace) => namespace,
      // The others of the namespace wait for it.
      objectOf: (namespace) => deps.caches.snapshots.byIndex('namespace', namespace).find(isOpen),
      watch: (keys) => watchSnapshots(deps, keys),
    },
    deps,
    settings,
  );
}

function watchSnapshots({ caches }: SnapshotDeps, keys: Keys): () => void {
  const { snapshots, networks } = caches;
  for (const snapshot of snapshots.list().filter(isOpen)) keys.add(snapshot.metadata.namespace);
  return stopAll([
    snapshots.onChange(({ type, object }) => {
      if (type === 'set' && isOpen(object)) keys.add(object.metadata.namespace);
    }),
    networks.onChange(({ object: { metadata } }) => {
      const isAwaited = snapshots.byIndex('waitsFor', `${metadata.namespace}/${metadata.name}`).length > 0;
      if (isAwaited) keys.add(metadata.namespace);
    }),
  ]);
}
