import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import { type Controller, type ControllerMetrics, createController, type Reconcile } from './controller.ts';
import { createWorkQueue, type QueueMetrics, type WorkQueue } from './queue.ts';

/** What all controllers of a process are given. */
export interface ControllerSettings {
  /** Keys that a controller works on at the same time, when its definition does not say otherwise. */
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
}

/** Keys may be added at any time; they are worked on while the controller runs. */
export type Keys = Pick<WorkQueue, 'add' | 'addAfter'>;

export interface ControllerDefinition {
  /** In logs and metrics. */
  name: string;
  reconcile: Reconcile;
  /** Adds the keys that are there and those that change, from the start of a run; the answer ends that. */
  watch?(keys: Keys, signal: AbortSignal): () => void | Promise<void>;
  workers?: number;
  /** The longest time until a key that failed is tried again; the queue's own when absent. */
  longestRetryMs?: number;
}

export interface DefinedController extends Controller {
  keys: Keys;
}

/** A queue of keys with its workers and what feeds it, for one term of leadership. */
export function defineController(
  definition: ControllerDefinition,
  { clock, log }: { clock: Clock; log: Log },
  settings: ControllerSettings,
): DefinedController {
  const { name, reconcile, watch, workers = settings.workers, longestRetryMs } = definition;
  const metrics = settings.metrics?.(name);
  const common = { clock, ...compact({ metrics }) };
  const retries = longestRetryMs === undefined ? {} : { maxDelayMs: longestRetryMs };
  const queue = createWorkQueue({ ...common, ...retries });
  const controller = createController({ ...common, name, queue, reconcile, workers, log });
  return {
    name,
    keys: queue,
    async run(signal) {
      const stopWatching = watch?.(queue, signal);
      await controller.run(signal);
      await stopWatching?.();
    },
  };
}

/** Controllers that work on one kind of resource and run together. */
export function joinControllers(name: string, controllers: readonly Controller[]): Controller {
  return {
    name,
    run: async (signal) => void (await Promise.all(controllers.map((controller) => controller.run(signal)))),
  };
}

/** Ends several subscriptions. */
export function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}
