import { labels } from '../../core/api/names.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { outboxType } from '../../core/api/resources/resources.ts';
import { createReflector, type Reflector, type ReflectorOptions } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { type Controller, type ControllerMetrics, createController } from '../runtime/controller.ts';
import { createWorkQueue, type QueueMetrics } from '../runtime/queue.ts';
import type { OutboxDeps } from './deps.ts';
import { createOutboxReconcile } from './reconcile.ts';

interface ControllerSettings {
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

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

/** The controller of sender queues, for one term of leadership. */
export function createOutboxController(deps: OutboxDeps, settings: ControllerSettings = {}): Controller {
  const { clock, log, caches } = deps;
  const name = 'outbox';
  const metrics = settings.metrics?.(name);
  const common = { clock, ...compact({ metrics }) };
  const queue = createWorkQueue({ ...common, maxDelayMs: longestRetryMs });
  const controller = createController({
    ...common,
    ...{ name, queue, workers, log },
    reconcile: createOutboxReconcile(deps),
  });
  const add = ({ metadata, spec }: Stored<OutboxResource>) => {
    if (spec.role !== 'queue') return;
    const isLong = (spec.batches?.length ?? 0) > longText;
    queue.addAfter(`${metadata.namespace}/${metadata.name}`, isLong ? settleLongMs : settleMs);
  };
  return {
    name,
    async run(signal) {
      const stops = [
        caches.outboxes.onChange(({ object }) => add(object)),
        caches.networks.onChange(({ object }) => {
          caches.outboxes.byIndex('network', object.metadata.uid).forEach(add);
        }),
      ];
      caches.outboxes.list().forEach(add);
      await controller.run(signal);
      for (const stop of stops) stop();
    },
  };
}
