import type { BoundedMap } from '../../lib/boundedMap.ts';
import { type Clock, systemClock, toRfc3339 } from '../../lib/clock.ts';
import { compact } from '../../lib/compact.ts';
import { isAppError } from '../../lib/errors.ts';
import { shortHashOf } from '../../lib/hash.ts';
import type { Log } from '../../lib/log.ts';
import { createRecentMap } from '../../lib/recentMap.ts';
import { cut } from '../../lib/text/foreignText.ts';
import type { Kube, KubeObject, Stored } from '../kube.ts';
import { type CoreEvent, coreEventType } from '../types.ts';
import { createEventWriter, type EventWriter } from './writer.ts';

export interface EventContent {
  type: 'Normal' | 'Warning';
  /** One word in UpperCamelCase. */
  reason: string;
  message: string;
}

/** Records Kubernetes Events about objects, as shown by `kubectl describe`. */
export interface EventRecorder {
  /** Writes in the background and never throws; equal events are aggregated, and excess events are dropped. */
  record(object: Stored<KubeObject>, event: EventContent): void;
}

export interface EventRecorderOptions {
  kube: Pick<Kube, 'create' | 'patch'>;
  /** The reporting component: `slipway-operator`. */
  component: string;
  log: Log;
  clock?: Clock;
  /** While it returns true, events yield to other work: one is written every 100 ms. */
  isBusy?: () => boolean;
}

interface Budget {
  tokens: number;
  atMs: number;
}

// An object may have 25 events at once and one more every 10 s; equal ones within 10 minutes are aggregated.
const burst = 25;
const refillMs = 10_000;
const seriesMs = 600_000;
/** A budget that was not used for so long is full again, like a new one. */
const fullAfterMs = burst * refillMs;
const maxRemembered = 2_000;
const maxMessageLength = 1_024;

/** A recorder that writes core/v1 Events into the object's namespace. */
export function createEventRecorder(
  options: EventRecorderOptions,
): EventRecorder & Pick<EventWriter, 'flush' | 'close'> {
  const { kube, component, log } = options;
  const clock = options.clock ?? systemClock;
  const series = createRecentMap<string, CoreEvent>({ maxEntries: maxRemembered, ageMs: seriesMs, clock });
  const budgets = createRecentMap<string, Budget>({ maxEntries: maxRemembered, ageMs: fullAfterMs, clock });
  const { enqueue, flush, close } = createEventWriter({
    log,
    clock,
    isBusy: options.isBusy ?? (() => false),
  });

  function countAgain(key: string, known: CoreEvent, nowMs: number): void {
    const event = { ...known, count: (known.count ?? 1) + 1, lastTimestamp: toRfc3339(nowMs) };
    series.set(key, event);
    const { metadata, count, lastTimestamp } = event;
    enqueue(() =>
      kube.patch(coreEventType, metadata, { count, lastTimestamp }).catch((error: unknown) => {
        // The server deletes events after an hour.
        if (isAppError(error, 'NotFound')) return kube.create(coreEventType, event);
        throw error;
      }),
    );
  }

  function record(object: Stored<KubeObject>, content: EventContent): void {
    const nowMs = clock.nowMs();
    const key = shortHashOf([object.metadata.uid, object.metadata.name, content]);
    if (!spend(budgets, object.metadata.uid, nowMs)) {
      log.debug('dropped an event: too many for this object', {
        name: object.metadata.name,
        reason: content.reason,
      });
      return;
    }
    const known = series.get(key);
    if (known) {
      countAgain(key, known, nowMs);
      return;
    }
    const event = eventOf({ object, content, component, nowMs, key });
    series.set(key, event);
    enqueue(() => kube.create(coreEventType, event));
  }

  return { record, flush, close };
}

interface EventInput {
  object: Stored<KubeObject>;
  content: EventContent;
  component: string;
  nowMs: number;
  key: string;
}

function eventOf({ object, content, component, nowMs, key }: EventInput): CoreEvent {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: `${name.slice(0, 200)}.${key}${nowMs.toString(16)}`,
      namespace: namespace ?? 'default',
    },
    type: content.type,
    reason: content.reason,
    message: cut(content.message, maxMessageLength),
    count: 1,
    firstTimestamp: toRfc3339(nowMs),
    lastTimestamp: toRfc3339(nowMs),
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...compact({ namespace, uid, resourceVersion }),
    },
    source: { component },
    reportingComponent: component,
  };
}

/** Takes a token from an object's budget; false when it has none. */
function spend(budgets: BoundedMap<string, Budget>, key: string, nowMs: number): boolean {
  const { tokens, atMs } = budgets.get(key) ?? { tokens: burst, atMs: nowMs };
  const refilled = Math.min(burst, tokens + (nowMs - atMs) / refillMs);
  budgets.set(key, { tokens: refilled < 1 ? refilled : refilled - 1, atMs: nowMs });
  return refilled >= 1;
}
