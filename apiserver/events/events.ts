import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { NetworksByName } from '../../core/api/views/networksByName.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import type { CallerLimits } from '../http/limits/callerLimits.ts';
import type { EndpointsOf } from '../networks/endpoints.ts';
import { type Credentials, createHasAccess } from './access.ts';
import { createEventHandlers } from './handlers.ts';
import { createEventHub, type EventHub, type HubOptions } from './log/hub.ts';
import { createEventMetrics, type EventMetrics } from './metrics.ts';
import { createStreams } from './streams.ts';

/** Where events come from: what the caches of this process see. */
export interface EventSource {
  hub: EventHub;
  metrics: EventMetrics;
}

/** The source of events. The caches fill it: give its taps to them. */
export function createEventSource(options: Omit<HubOptions, 'metrics'> & { metrics: Metrics }): EventSource {
  const metrics = createEventMetrics(options.metrics);
  return { metrics, hub: createEventHub({ ...options, metrics }) };
}

export interface EventsOptions {
  events: EventSource;
  /** How many streams may be open. */
  eventStreams: Installation['limits']['eventStreams'];
  credentials: Credentials;
  /** The keys of cursors, which seal positions. */
  keyring: Keyring;
  /** Makes the ids of events. */
  eventKey: Uint8Array;
  endpointsOf: EndpointsOf;
  networks: NetworksByName;
  limits: Pick<CallerLimits, 'memory' | 'budgets' | 'shares'>;
  clock: Clock;
}

/** The event streams of REST. `close` ends all. */
export function createEvents(options: EventsOptions) {
  const { events, limits, clock } = options;
  const streams = createStreams({
    limits: options.eventStreams,
    metrics: events.metrics,
    clock,
    budgets: limits.budgets,
    shares: limits.shares,
    hasAccess: createHasAccess(options.credentials),
  });
  const handlers = createEventHandlers({ ...options, ...events, streams, memory: limits.memory });
  return { handlers, close: streams.close };
}
