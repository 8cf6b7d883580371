import { labels } from '../../core/api/names.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { Controller } from '../runtime/controller.ts';
import {
  type ControllerSettings,
  defineController,
  type Keys,
  stopAll,
} from '../runtime/defineController.ts';
import type { OutboxDeps } from './deps.ts';
import { createOutboxReconcile } from './reconcile.ts';

/** Sender queues that are looked at side by side. Nearly all of a look is waiting for a node, and some never answer. */
const workers = 64;
const longestRetryMs = 30_000;
/** What was just written is just being sent, and a look costs two writes: a small sender queue waits for more, */
const settleMs = 1000;
/** a longer one is settled sooner, because it is written anew with each submission. */
const settleLongMs = 250;
const longText = 8000;

/** All Outboxes, by sender queue (`namespace/name`) and by the network's uid. Not yet started. */
export function createOutboxCache(
  options: Pick<ReflectorOptions<OutboxResource>, 'kube' | 'clock' | 'log' | 'metrics'>,
): Reflector<OutboxResource> {
  return createReflector({
    ...options,
    type: outboxType,
    indexes: {
      queue: ({ metadata }) => [`${metadata.namespace}/${metadata.labels?.[labels.queue] ?? ''}`],
      network: ({ spec }) => [spec.networkID],
    },
  });
}

/** The controller of sender queues; the key of one is the `namespace/name` of its Outbox. */
export function createOutboxController(deps: OutboxDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      ...{ name: 'outbox', workers, longestRetryMs },
      reconcile: createOutboxReconcile(deps),
      watch: (keys) => watchOutboxes(deps, keys),
    },
    deps,
    settings,
  );
}

function watchOutboxes({ caches }: OutboxDeps, keys: Keys): () => void {
  const add = ({ metadata, spec }: Stored<OutboxResource>) => {
    if (spec.role !== 'queue') return;
    const isLong = (spec.batches?.length ?? 0) > longText;
    keys.addAfter(`${metadata.namespace}/${metadata.name}`, isLong ? settleLongMs : settleMs);
  };
  caches.outboxes.list().forEach(add);
  return stopAll([
    caches.outboxes.onChange(({ object }) => add(object)),
    caches.networks.onChange(({ object }) => {
      caches.outboxes.byIndex('network', object.metadata.uid).forEach(add);
    }),
  ]);
}
