import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { flatMapBatches } from '../../core/outbox/batches.ts';
import { isAcknowledgedBy, isUndone, marksOf } from '../../core/outbox/marks.ts';

/**
 * When the last transaction was accepted that this process acknowledged and whose outcome is not stored: the next process would
 * be sent it again. Undefined if there is none.
 */
export function lastUnsettledMs(
  queues: readonly OutboxResource[],
  process: string | undefined,
): number | undefined {
  if (process === undefined) return undefined;
  const times = queues.flatMap((queue) => {
    const marks = marksOf(queue);
    return flatMapBatches(queue, ({ id, first, acceptedAt }) => {
      const mark = marks[id];
      const isOpen = isAcknowledgedBy(process, mark) && !isUndone(mark, first);
      return isOpen ? [parseRfc3339(acceptedAt) ?? 0] : [];
    });
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
