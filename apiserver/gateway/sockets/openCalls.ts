import type { Clock } from '../../../core/lib/clock.ts';
import { isNotification } from '../jsonrpc/notification.ts';

/** The messages of a client that the node of its connection has not answered yet. */
export interface OpenCalls {
  /** One was forwarded that expects an answer. */
  noteAsked(): void;
  /** A message of the node. */
  noteSent(message: Buffer): void;
  /** Whether none is waited for, by nobody. */
  isIdle(): boolean;
  /** Waits until all are answered, for some seconds at most. */
  whenAnswered(): Promise<void>;
  /** Waits until all that were forwarded by now are answered, or the connection has ended. */
  whenDone(): Promise<void>;
  /** The connection has ended: nothing is answered any more. */
  end(): void;
}

const longestMs = 5000;

interface Waiter {
  /** Resolved when so many are answered. */
  count: number;
  resolve(): void;
}

export function createOpenCalls(clock: Clock): OpenCalls {
  let asked = 0;
  let answered = 0;
  /** Those that nobody waits for any more. */
  let overdue = 0;
  let isEnded = false;
  let waiters: Waiter[] = [];
  const wake = () => {
    const ready = waiters.filter(({ count }) => isEnded || answered >= count);
    waiters = waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  };
  const whenAnswered = (count: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiters.push({ count, resolve });
    wake();
    return promise;
  };
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
      void whenAnswered(asked - overdue).then(resolve);
      const cancel = clock.after(longestMs, () => {
        // What is not answered by then is waited for no more, by later calls neither.
        overdue = asked - answered;
        resolve();
      });
      await promise;
      cancel();
    },
    whenDone: () => whenAnswered(asked),
    end() {
      isEnded = true;
      wake();
    },
  };
}
