/** Counts what callers cause in workspaces. It costs no more than an addition. */
export interface TrafficCounter {
  rpcCalls(namespace: string, count: number): void;
  /** Those that were accepted. */
  transactions(namespace: string, count: number): void;
}

/** Passes what is counted on to whoever wants to know. */
export interface Traffic extends TrafficCounter {
  countWith(counter: TrafficCounter): void;
}

export function createTraffic(): Traffic {
  const counters: TrafficCounter[] = [];
  return {
    countWith: (counter) => void counters.push(counter),
    rpcCalls(namespace, count) {
      for (const counter of counters) counter.rpcCalls(namespace, count);
    },
    transactions(namespace, count) {
      for (const counter of counters) counter.transactions(namespace, count);
    },
  };
}
