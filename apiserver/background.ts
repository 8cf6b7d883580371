/** A background task with the interface of the process's caches: it starts once and has ended when `stop` resolves. */
export function createBackground(run: (signal: AbortSignal) => Promise<void>) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  return {
    start(): void {
      running ??= run(stopping.signal);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
