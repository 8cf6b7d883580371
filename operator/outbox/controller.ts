import { idKey, idOf } from '../../core/api/ids.ts';
import { labels } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { keyOf, refOf } from '../../core/kube/objects.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController, type Keys } from '../runtime/defineController.ts';
import type { OutboxDeps } from './deps.ts';
import { createOutboxReconcile } from './reconcile.ts';

/** Sender queues that are reconciled in parallel. Most of that time is spent waiting for nodes, and some never answer. */
const workers = 64;
const longestRetryMs = 30_000;
/** How long a changed sender queue waits for more changes: each reconcile costs two writes. */
const settleMs = 1000;
/** The same for a queue whose stored batches are longer than `longText`: each submission rewrites all of them. */
const settleLongMs = 250;
const longText = 8000;

/**
 * All sender queues, by network. Not started yet. What is archived, and signed bytes that are not in the queue
 * itself, are read when they are needed: memory does not grow with them.
 */
export function createOutboxCache(
  options: Pick<ReflectorOptions<OutboxResource>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>,
): Reflector<OutboxResource> {
  return createReflector({
    ...options,
    type: outboxType,
    labelSelector: `${labels.role}=queue`,
    indexes: {
      network: ({ metadata, spec }) => [idKey(metadata.namespace, spec.networkID)],
    },
  });
}

/** The sender queues of a network. */
export function queuesOf(
  outboxes: Pick<Reflector<OutboxResource>, 'byIndex'>,
  network: Stored<NetworkResource>,
): readonly Stored<OutboxResource>[] {
  const { namespace, uid } = network.metadata;
  // A release without ids may have noted its uid.
  const ids = new Set([idOf(network), uid]);
  return [...ids].flatMap((id) => outboxes.byIndex('network', idKey(namespace, id)));
}

/** The controller of sender queues; a key is the `namespace/name` of an Outbox. */
export function createOutboxController(deps: OutboxDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'outbox',
      workers,
      longestRetryMs,
      reconcile: createOutboxReconcile(deps),
      objectOf: (key) => deps.caches.outboxes.get(refOf(key)),
      namespaceOf: (key) => refOf(key).namespace,
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
    keys.addAfter(keyOf(metadata), isLong ? settleLongMs : settleMs);
  };
  caches.outboxes.list().forEach(add);
  return stopAll([
    caches.outboxes.onChange(({ object }) => add(object)),
    caches.networks.onChange(({ object }) => {
      queuesOf(caches.outboxes, object).forEach(add);
    }),
  ]);
}
