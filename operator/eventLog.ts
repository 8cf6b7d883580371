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
      const log = eventLog.taps.outboxes;
      let isOpen = true;
      // What a list or a watch still brings after its end belongs to nobody.
      const tap: typeof log = {
        listed: (items, resourceVersion) => isOpen && log.listed(items, resourceVersion),
        changed: (type, object, small) => isOpen && log.changed(type, object, small),
        reached: (resourceVersion) => isOpen && log.reached(resourceVersion),
      };
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
        log.listed([], '0');
        isOpen = false;
      };
    },
  });
  return eventLog;
}
