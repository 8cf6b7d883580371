import { idKey, idOf } from '../../core/api/ids.ts';
import type { JournalResource } from '../../core/api/resources/journal.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { keyOf, refOf } from '../../core/kube/objects.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import { createBlockFollowers } from '../runtime/blockFollowers.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { createRelayReconcile, type RelayDeps, relayWorkers } from './reconcile.ts';

const longestRetryMs = 15_000;

/**
 * Relays CCIP messages between networks: one key per source network, the `namespace/name` of its
 * journal.
 */
export function createRelayController(deps: RelayDeps, settings: ControllerSettings): Controller {
  const followers = createBlockFollowers(deps.heads, (key, delayMs) =>
    controller.keys.addAfter(key, delayMs),
  );
  const controller = defineController(
    {
      name: 'relay',
      workers: relayWorkers,
      longestRetryMs,
      reconcile: createRelayReconcile(deps, followers),
      namespaceOf: (key) => refOf(key).namespace,
      watch: (keys) => stopAll([watchJournals(deps, keys.add), followers.stop]),
    },
    deps,
    settings,
  );
  return controller;
}

function watchJournals({ caches }: RelayDeps, add: (key: string) => void): () => void {
  const addJournal = ({ metadata }: Stored<JournalResource>) => add(keyOf(metadata));
  caches.journals.list().forEach(addJournal);
  return stopAll([
    caches.journals.onChange(({ object }) => addJournal(object)),
    caches.networks.onChange(({ object }) => {
      caches.journals.byIndex('network', idKey(object.metadata.namespace, idOf(object))).forEach(addJournal);
    }),
  ]);
}
