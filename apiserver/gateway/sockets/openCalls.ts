import type { Clock } from '../../../core/lib/clock.ts';

/** The messages of a client that the node of its connection has not answered yet. */
export interface OpenCalls {
  /** One was forwarded that expects an answer. */
  noteAsked(): void;
  /** A message of the node. */
  noteSent(message: Buffer): void;
  /** Waits until all are answered, for some seconds at most. */
  whenAnswered(): Promise<void>;
}

const longestMs = 5000;
/** Where a notification to a subscriber names its method. */
const headBytes = 80;

export function createOpenCalls(clock: Clock): OpenCalls {
  let open = 0;
  let wake: (() => void)[] = [];
  const end = () => {
    open = 0;
    for (const one of wake) one();
    wake = [];
  };
  return {
    noteAsked() {
      open += 1;
    },
    noteSent(message) {
      if (open === 0 || message.subarray(0, headBytes).includes('"eth_subscription"')) return;
      open -= 1;
      if (open === 0) end();
    },
    async whenAnswered() {
      if (open === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake.push(resolve);
      // What is not answered by then is waited for no more, by later calls neither.
      const cancel = clock.after(longestMs, end);
      await promise;
      cancel();
    },
  };
}
