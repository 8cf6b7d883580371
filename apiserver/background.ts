/** What the process starts, waits for before it serves, and stops: its caches and what runs beside them. */
export interface Background {
  start(): void;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
  /** Resolves when requests can be answered. */
  whenSynced(): Promise<void>;
}

/** A task that starts once, and that no request waits for. */
export function createBackground(run: (signal: AbortSignal) => Promise<void>): Background {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  return {
    start() {
      running ??= run(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
    whenSynced: async () => undefined,
  };
}
