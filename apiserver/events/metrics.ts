import { defineMetrics, type Metrics } from '../../core/lib/metrics.ts';

export const eventMetricTable = defineMetrics({
  streams: { type: 'gauge', name: 'slipway_event_streams', help: 'Streams of events that are open.' },
  sent: {
    type: 'counter',
    name: 'slipway_events_sent_total',
    help: 'Events that were sent on streams, to all clients together.',
  },
  resets: {
    type: 'counter',
    name: 'slipway_event_stream_resets_total',
    help: 'Resumed streams that began again, because changes since their last event are lost.',
  },
  ended: {
    type: 'counter',
    name: 'slipway_event_streams_ended_total',
    help: 'Streams that the service ended.',
    labels: { reason: 'access (the caller lost it), memory (the budget is used up), drain' },
  },
  backfills: {
    type: 'counter',
    name: 'slipway_event_backfills_total',
    help: 'Reads of past changes from kube-apiserver, for streams that resume from before this process began.',
    labels: { kind: 'the kind of object' },
  },
  bytes: {
    type: 'gauge',
    name: 'slipway_event_log_bytes',
    help: 'Estimated memory of the changes that are kept for streams, in bytes.',
  },
});

export interface EventMetrics {
  streams(count: number): void;
  sent(count: number): void;
  reset(): void;
  ended(reason: 'access' | 'memory' | 'drain'): void;
  backfill(kind: string): void;
  bytes(count: number): void;
}

export function createEventMetrics(metrics: Metrics): EventMetrics {
  const { streams, sent, resets, ended, backfills, bytes } = metrics.instruments(eventMetricTable);
  return {
    streams: (count) => streams.set(count),
    sent: (count) => sent.inc(count),
    reset: () => resets.inc(),
    ended: (reason) => ended.inc({ reason }),
    backfill: (kind) => backfills.inc({ kind }),
    bytes: (count) => bytes.set(count),
  };
}
