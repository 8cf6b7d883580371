import { messageOf } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { RelayEvents } from './relay.ts';

/** Counts and logs what relays do. Create it once per process. */
export function createRelayEvents(metrics: Metrics, log: Log): (protocol: string) => RelayEvents {
  const messages = metrics.counter('relay_messages_total', 'Messages between chains, by outcome.', [
    'protocol',
    'outcome',
  ]);
  const waiting = metrics.gauge('relay_waiting', 'Messages that were read and not delivered.', [
    'protocol',
    'source',
  ]);
  const behind = metrics.gauge('relay_blocks_behind', 'Blocks of a source that were not read.', [
    'protocol',
    'source',
  ]);
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
      waiting.set({ protocol, source }, count);
      behind.set({ protocol, source }, blocksBehind);
    },
    interrupted: (source, error) => log.warn('relay waits', { protocol, source, reason: messageOf(error) }),
  });
}
