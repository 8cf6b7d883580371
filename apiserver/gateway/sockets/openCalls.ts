import type { Clock } from '../../../core/lib/clock.ts';
import { isNotification } from '../jsonrpc/notification.ts';

/** The messages of a client that the node of its connection has not answered yet. */
export interface OpenCalls {
  /** One was forwarded that expects an answer. */
  noteAsked(): void;
  /** A message of the node. */
  noteSent(message: Buffer): void;
  /** Whether all are answered. */
  isIdle(): boolean;
  /** Waits until all are answered, for some seconds at most. */
  whenAnswered(): Promise<void>;
  /** Waits until all that were forwarded by now are answered, or the connection to the node has ended: they have room in it. */
  whenDone(): Promise<void>;
  /** Waits until none has room any more. */
  whenRoomIsFree(): Promise<void>;
  /** The connection to the node has ended: nothing is answered any more. */
  end(): void;
}

const longestMs = 5000;

export function createOpenCalls(clock: Clock): OpenCalls {
  let asked = 0;
  let answered = 0;
  /** Those that nobody waits for any more. */
  let overdue = 0;
  /** The last of those that have room. */
  let placed = 0;
  let isEnded = false;
  const { until, wake } = createWaiters((count) => isEnded || answered >= count);
  return {
    noteAsked() {
      asked += 1;
    },
    noteSent(message) {
      if (answered === asked || isNotification(message)) return;
      answered += 1;
      overdue = Math.min(overdue, asked - answered);
      wake();
    },
    isIdle: () => answered === asked,
    async whenAnswered() {
      if (isEnded || answered >= asked - overdue) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      void until(asked - overdue).then(resolve);
      const cancel = clock.after(longestMs, () => {
        // What is not answered by then is waited for no more, by later calls neither.
        overdue = asked - answered;
        resolve();
      });
      await promise;
      cancel();
    },
    whenDone() {
      placed = asked;
      return until(placed);
    },
    whenRoomIsFree: () => until(placed),
    end() {
      isEnded = true;
      wake();
    },
  };
}

interface Waiter {
  count: number;
  resolve(): void;
}

/** Who waits until so many are answered, which is looked at whenever they are woken. */
function createWaiters(isAnswered: (count: number) => boolean) {
  let waiters: Waiter[] = [];
  const wake = () => {
    const ready = waiters.filter(({ count }) => isAnswered(count));
    waiters = waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  };
  return {
    wake,
    until(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.push({ count, resolve });
      wake();
      return promise;
    },
  };
}
