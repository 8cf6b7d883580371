import { outboxType } from '../core/api/resources/resources.ts';
import { createEventLog, type EventLog } from '../core/events/log/eventLog.ts';
import { keptForEvents } from '../core/events/log/readPast.ts';
import { pageSizeOf } from '../core/events/watchedTypes.ts';
import { createReflector, type ReflectorOptions } from '../core/kube/cache/reflector.ts';

/**
 * The log of changes that features read. The caches fill it, except with Outboxes: the operator's cache has the sender
 * queues alone, and all archives are only read while somebody wants to know what became of transactions.
 */
export function createOperatorEventLog(
  options: Pick<ReflectorOptions<never>, 'kube' | 'clock' | 'log' | 'kubeMetrics'>,
): EventLog {
  const eventLog = createEventLog({
    ...options,
    follow() {
      const tap = eventLog.taps.outboxes;
      const outboxes = createReflector({
        ...options,
        tap,
        type: outboxType,
        pageSize: pageSizeOf(outboxType),
        trim: keptForEvents,
      });
      outboxes.start();
      return () => {
        void outboxes.stop();
        tap.listed([], '0');
      };
    },
  });
  return eventLog;
}
