import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Tracer } from '../../core/tracing/tracing.ts';
import { type Controller, type ControllerMetrics, createController, type Reconcile } from './controller.ts';
import { createWorkQueue, type QueueMetrics, type WorkQueue } from './queue.ts';
import { shareWorkers } from './shareWorkers.ts';
import type { TracedObject } from './traceReconcile.ts';

/** The dependencies that all controllers of a process share. */
export interface ControllerSettings {
  /** Keys that a controller works on in parallel, when its definition does not say otherwise. */
  workers: number;
  metrics?: (controller: string) => QueueMetrics & ControllerMetrics;
  /** Nothing is traced if absent. */
  tracer?: Tracer;
  /** Whether an object has its id: its keys are skipped until then. Getting an id is a change. */
  isIdentified?(object: TracedObject): boolean;
  /** The account whose share of the workers a workspace uses; by default its own. */
  shareOf?: ShareOf;
}

/** Keys may be added at any time; they are worked on while the controller runs. */
export type Keys = Pick<WorkQueue, 'add' | 'addAfter'>;

export interface ControllerDefinition {
  /** In logs and metrics. */
  name: string;
  reconcile: Reconcile;
  /** The object that a key stands for: its reconciles are part of the trace of whoever changed it. */
  objectOf?(key: string): TracedObject | undefined;
  /** Adds the existing keys and those that change, from the start of a run; returns a function that stops this. */
  watch?(keys: Keys, signal: AbortSignal): () => void | Promise<void>;
  workers?: number;
  /** The namespace of what a key stands for, where reconciles wait for nodes: then each account has a share of the workers. */
  namespaceOf?(key: string): string | undefined;
  /** The longest time until a failed key is retried; the queue's default when absent. */
  longestRetryMs?: number;
}

export interface DefinedController extends Controller {
  keys: Keys;
}

/** A queue of keys with its workers and its sources, for one term of leadership. */
export function defineController(
  definition: ControllerDefinition,
  { clock, log }: { clock: Clock; log: Log },
  settings: ControllerSettings,
): DefinedController {
  const { name, objectOf, watch, workers = settings.workers, namespaceOf, longestRetryMs } = definition;
  const metrics = settings.metrics?.(name);
  const common = { clock, ...compact({ metrics }) };
  const retries = longestRetryMs === undefined ? {} : { maxDelayMs: longestRetryMs };
  const queue = createWorkQueue({ ...common, ...retries });
  const { tracer, isIdentified, shareOf } = settings;
  const reconcile = namespaceOf
    ? shareWorkers(definition.reconcile, { workers, namespaceOf, ...compact({ shareOf }) })
    : definition.reconcile;
  const traced = compact({ tracer, isIdentified, objectOf });
  const controller = createController({ ...common, ...traced, name, queue, reconcile, workers, log });
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

/** Controllers of one kind of resource that run together. */
export function joinControllers(name: string, controllers: readonly Controller[]): Controller {
  return {
    name,
    run: async (signal) => void (await Promise.all(controllers.map((controller) => controller.run(signal)))),
  };
}
