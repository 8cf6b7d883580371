import type { DeliveryStatus } from '../../core/api/resources/webhookBatch.ts';

/** A delivery that waits, or is under way. */
export interface Pending {
  /** Name of its batch. */
  batch: string;
  index: number;
  /** The object that it is about. */
  key: string;
  queuedMs: number;
  status: DeliveryStatus;
  /** Not before this time. */
  dueMs: number;
}

/** The deliveries of one webhook: in order for each object, independently between objects. */
export interface Lane {
  add(pending: Pending): void;
  /** The next delivery that is due; it is under way until `settle` or `retry`. */
  take(nowMs: number): Pending | undefined;
  /** It is over: the next one of its object may follow. */
  settle(pending: Pending): void;
  /** It is tried again at its `dueMs`; later ones of its object wait. */
  retry(pending: Pending): void;
  /** All that wait for their next attempt are due now. */
  hurry(nowMs: number): void;
  /** Forgets what is not under way of a batch. */
  drop(batch: string): void;
  hasDue(nowMs: number): boolean;
  /** When the next one is due; undefined if nothing waits for a time. */
  nextDueMs(): number | undefined;
  size(): number;
}

interface Line {
  items: Pending[];
  isUnderWay: boolean;
}

export function createLane(): Lane {
  const lines = new Map<string, Line>();
  /** Keys whose first delivery is due, in the order in which they became so. */
  const ready = new Set<string>();
  /** Keys whose first delivery waits for its time. */
  const waiting = new Set<string>();
  /** When the first of those that wait is due, or earlier. */
  let firstDueMs = Number.POSITIVE_INFINITY;
  let count = 0;

  function place(key: string, line: Line, nowMs: number): void {
    ready.delete(key);
    waiting.delete(key);
    const [first] = line.items;
    if (line.isUnderWay) return;
    if (!first) lines.delete(key);
    else if (first.dueMs <= nowMs) ready.add(key);
    else {
      waiting.add(key);
      firstDueMs = Math.min(firstDueMs, first.dueMs);
    }
  }

  function wake(nowMs: number): void {
    if (nowMs < firstDueMs) return;
    firstDueMs = Number.POSITIVE_INFINITY;
    for (const key of [...waiting]) {
      const line = lines.get(key);
      if (line) place(key, line, nowMs);
    }
  }

  function end(key: string, change: (line: Line) => void): void {
    const line = lines.get(key);
    if (!line) return;
    line.isUnderWay = false;
    change(line);
    place(key, line, Number.NEGATIVE_INFINITY);
  }

  return {
    add(pending) {
      const line = lines.get(pending.key) ?? { items: [], isUnderWay: false };
      lines.set(pending.key, line);
      line.items.push(pending);
      count += 1;
      if (line.items.length === 1) place(pending.key, line, Number.NEGATIVE_INFINITY);
    },
    take(nowMs) {
      wake(nowMs);
      const [key] = ready;
      const line = key === undefined ? undefined : lines.get(key);
      const first = line?.items[0];
      if (key === undefined || !line || !first) return undefined;
      line.isUnderWay = true;
      place(key, line, nowMs);
      return first;
    },
    settle: (pending) =>
      end(pending.key, (line) => {
        const before = line.items.length;
        line.items = line.items.filter((item) => item !== pending);
        count -= before - line.items.length;
      }),
    retry: (pending) => end(pending.key, () => undefined),
    hurry(nowMs) {
      for (const key of waiting) {
        for (const item of lines.get(key)?.items ?? []) item.dueMs = Math.min(item.dueMs, nowMs);
      }
      firstDueMs = Number.NEGATIVE_INFINITY;
    },
    drop(batch) {
      for (const [key, line] of lines) {
        const kept = line.items.filter((item, at) => item.batch !== batch || (at === 0 && line.isUnderWay));
        count -= line.items.length - kept.length;
        line.items = kept;
        place(key, line, Number.NEGATIVE_INFINITY);
      }
    },
    hasDue(nowMs) {
      wake(nowMs);
      return ready.size > 0;
    },
    nextDueMs: () => (waiting.size === 0 ? undefined : firstDueMs),
    size: () => count,
  };
}
