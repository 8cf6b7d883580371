import { createDueKeys } from '../../../core/lib/work/dueKeys.ts';
import type { DeliveryStatus } from '../api/batch.ts';

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
  const lines = createLines();
  let count = 0;

  function end(key: string, change: (line: Line) => void): void {
    const line = lines.get(key);
    if (!line) return;
    line.isUnderWay = false;
    change(line);
    lines.place(key, line);
  }

  function keep(line: Line, isKept: (item: Pending, at: number) => boolean): void {
    const kept = line.items.filter(isKept);
    count -= line.items.length - kept.length;
    line.items = kept;
  }

  return {
    add(pending) {
      const line = lines.open(pending.key);
      line.items.push(pending);
      count += 1;
      if (line.items.length === 1) lines.place(pending.key, line);
    },
    take(nowMs) {
      const line = lines.firstDue(nowMs);
      const first = line?.items[0];
      if (!line || !first) return undefined;
      line.isUnderWay = true;
      lines.place(first.key, line);
      return first;
    },
    settle: (pending) => end(pending.key, (line) => keep(line, (item) => item !== pending)),
    retry: (pending) => end(pending.key, () => undefined),
    hurry: lines.hurry,
    drop(batch) {
      for (const [key, line] of lines.all()) {
        keep(line, (item, at) => item.batch !== batch || (at === 0 && line.isUnderWay));
        lines.place(key, line);
      }
    },
    hasDue: (nowMs) => lines.firstDue(nowMs) !== undefined,
    nextDueMs: lines.nextDueMs,
    size: () => count,
  };
}

/** The deliveries of each object in a line. Those lines that wait are looked at only when one of them is due. */
function createLines() {
  const lines = new Map<string, Line>();
  const due = createQueue(lines);
  return {
    ...due,
    get: (key: string) => lines.get(key),
    all: () => [...lines],
    open(key: string): Line {
      const line = lines.get(key) ?? { items: [], isUnderWay: false };
      lines.set(key, line);
      return line;
    },
    firstDue(nowMs: number): Line | undefined {
      const key = due.firstReady(nowMs);
      return key === undefined ? undefined : lines.get(key);
    },
  };
}

function createQueue(lines: Map<string, Line>) {
  /** Keys whose first delivery is due, in the order in which they became so. */
  const ready = new Set<string>();
  /** Keys whose first delivery waits for its time. */
  const waiting = createDueKeys();

  function place(key: string, line: Line): void {
    ready.delete(key);
    waiting.delete(key);
    const [first] = line.items;
    if (line.isUnderWay) return;
    if (first) waiting.set(key, first.dueMs);
    else lines.delete(key);
  }

  return {
    place,
    firstReady(nowMs: number): string | undefined {
      for (const key of waiting.take(nowMs)) ready.add(key);
      const [first] = ready;
      return first;
    },
    hurry(nowMs: number): void {
      for (const [key, line] of [...lines]) {
        if (line.isUnderWay || ready.has(key)) continue;
        for (const item of line.items) item.dueMs = Math.min(item.dueMs, nowMs);
        place(key, line);
      }
    },
    nextDueMs: waiting.firstMs,
  };
}
