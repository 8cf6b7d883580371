import type { Clock } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { type Span, typeOf } from '../../core/tracing/spans.ts';
import { noTracer, type Tracer } from '../../core/tracing/tracing.ts';
import type { WorkQueue } from './queue.ts';
import { spanOfReconcile, type TracedObject } from './traceReconcile.ts';

export interface ReconcileResult {
  /** Reconcile the key again after this time, even if nothing has changed. */
  requeueAfterMs?: number | undefined;
  /** Short word for the log line, such as the state reached. */
  state?: string | undefined;
}

/** Brings the object of `key` one step closer to its desired state. Throwing means: try again later. */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<ReconcileResult>;

export interface ControllerMetrics {
  reconciled(outcome: 'ok' | 'error', seconds: number): void;
}

export interface ControllerOptions {
  name: string;
  queue: WorkQueue;
  reconcile: Reconcile;
  workers: number;
  clock: Clock;
  log: Log;
  metrics?: ControllerMetrics;
  /** Nothing is traced if absent. */
  tracer?: Tracer;
  /** The object that a key stands for, as it is cached. */
  objectOf?(key: string): TracedObject | undefined;
  /** Whether an object may be reconciled; if absent, every object may. */
  isIdentified?(object: TracedObject): boolean;
}

export interface Controller {
  name: string;
  /** Works until `signal` aborts; resolves when the last reconcile has ended. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Lets timers and I/O run. A reconcile that finds nothing to do never yields: without this, ten thousand of them would run
 * without a break for longer than a lease lasts, and nothing would renew it.
 */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/**
 * How soon a key whose object had no id yet is tried again: it can become the holder of its id without a change, when another
 * object is deleted.
 */
const unidentifiedMs = 500;

/** Workers that take keys from a queue. No error of a reconcile ends them. */
export function createController(options: ControllerOptions): Controller {
  const { name, queue, workers, clock, tracer = noTracer } = options;
  const log = options.log.with({ controller: name });

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const key = await queue.next();
      if (key === undefined) return;
      const object = options.objectOf?.(key);
      const isWaiting = object && options.isIdentified?.(object) === false;
      if (isWaiting) {
        queue.done(key);
        queue.addAfter(key, unidentifiedMs);
      } else
        await tracer.run(spanOfReconcile(tracer, name, object), (span) => reconcileOnce(key, signal, span));
      await nextTurn();
    }
  }

  async function reconcileOnce(key: string, signal: AbortSignal, span: Span): Promise<void> {
    const startMs = clock.nowMs();
    try {
      const result = await options.reconcile(key, signal);
      queue.forget(key);
      if (result.requeueAfterMs !== undefined) queue.addAfter(key, result.requeueAfterMs);
      count('ok', startMs);
      span.set({ 'slipway.state': result.state });
      log.debug('reconciled', { key, state: result.state, ms: clock.nowMs() - startMs });
    } catch (error) {
      count('error', startMs);
      span.fail(typeOf(error));
      if (signal.aborted) return;
      const retryMs = queue.retry(key);
      log.warn('reconcile failed', { key, error: messageOf(error), retryMs, ms: clock.nowMs() - startMs });
    } finally {
      queue.done(key);
    }
  }

  function count(outcome: 'ok' | 'error', startMs: number): void {
    options.metrics?.reconciled(outcome, (clock.nowMs() - startMs) / 1000);
  }

  return {
    name,
    async run(signal) {
      signal.addEventListener('abort', () => queue.close(), { once: true });
      await Promise.all(Array.from({ length: workers }, () => work(signal)));
    },
  };
}
