import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { NetworksByName } from '../../core/api/views/networksByName.ts';
import { createEventLog, type EventLog, type EventLogOptions } from '../../core/events/log/eventLog.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import type { CallerLimits } from '../http/limits/callerLimits.ts';
import type { EndpointsOf } from '../networks/endpoints.ts';
import type { AccessWatch } from './accessWatch.ts';
import { createEventHandlers } from './handlers.ts';
import { createEventMetrics, type EventMetrics } from './metrics.ts';
import { createStreams } from './streams.ts';

/** Where events come from: what the caches of this process see. */
export interface EventSource {
  eventLog: EventLog;
  metrics: EventMetrics;
  close(): void;
}

/** A client that resumes does not wait longer for kube-apiserver to answer. */
const maxAttempts = 5;

/** The source of events. The caches fill it: give its taps to them. */
export function createEventSource(
  options: Pick<EventLogOptions, 'kube' | 'clock' | 'log'> & { metrics: Metrics },
): EventSource {
  const metrics = createEventMetrics(options.metrics);
  const eventLog = createEventLog({ ...options, metrics, maxAttempts });
  return { metrics, eventLog, close: eventLog.open() };
}

export interface EventsOptions {
  events: EventSource;
  /** How many streams may be open. */
  eventStreams: Installation['limits']['eventStreams'];
  access: AccessWatch;
  /** The keys of cursors, which seal positions. */
  keyring: Keyring;
  /** Makes the ids of events. */
  eventKey: Uint8Array;
  endpointsOf: EndpointsOf;
  networks: NetworksByName;
  /** The uid of a workspace's object. */
  workspaceUid: (workspaceId: string) => string | undefined;
  limits: Pick<CallerLimits, 'memory' | 'budgets' | 'shares'>;
  clock: Clock;
}

/** The event streams of REST. `close` ends all. */
export function createEvents(options: EventsOptions) {
  const { events, limits } = options;
  const streams = createStreams({
    limits: options.eventStreams,
    metrics: events.metrics,
    budgets: limits.budgets,
    shares: limits.shares,
    access: options.access,
  });
  const handlers = createEventHandlers({ ...options, ...events, streams, memory: limits.memory });
  return { handlers, close: streams.close };
}
