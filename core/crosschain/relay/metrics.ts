import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { defineMetrics, type Metrics } from '../../lib/metrics.ts';
import type { RelayEvents } from './relay.ts';

const labels = {
  protocol: 'ccip or layerzero',
  source: 'ID of the source network; for layerzero, the IDs of source and destination, separated by /',
};

export const relayMetricTable = defineMetrics({
  messages: {
    type: 'counter',
    name: 'slipway_relay_messages_total',
    help: 'Attempts to deliver a cross-chain message.',
    labels: {
      protocol: labels.protocol,
      outcome: 'delivered, failed (retried later) or abandoned (after the last attempt)',
    },
  },
  pending: {
    type: 'gauge',
    name: 'slipway_relay_pending_messages',
    help: 'Cross-chain messages read from the source and not delivered yet.',
    labels,
  },
  lag: {
    type: 'gauge',
    name: 'slipway_relay_lag_blocks',
    help: 'Blocks of the source that the relay has not read yet.',
    labels,
  },
});

/** Counts and logs what a relay does, for each protocol. */
export function createRelayEvents(metrics: Metrics, log: Log): (protocol: string) => RelayEvents {
  const { messages, pending, lag } = metrics.instruments(relayMetricTable);
  return (protocol) => ({
    delivered(source, { id, to }) {
      messages.inc({ protocol, outcome: 'delivered' });
      log.info('message delivered', { protocol, source, destination: to, id });
    },
    failed(source, { id, to, attempts }, { reason, isLast }) {
      messages.inc({ protocol, outcome: isLast ? 'abandoned' : 'failed' });
      log.warn('message not delivered', { protocol, source, destination: to, id, attempts, reason, isLast });
    },
    waiting(source, count, blocksBehind) {
      pending.set({ protocol, source }, count);
      lag.set({ protocol, source }, blocksBehind);
    },
    wentBack: (source, from, to) =>
      log.warn('source went back: its blocks are read again', { protocol, source, from, to }),
    interrupted: (source, error) => log.warn('relay waits', { protocol, source, reason: messageOf(error) }),
  });
}
