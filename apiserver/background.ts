/** Work beside the requests, in the form of the process's caches: begun once, and over when `stop` resolves. */
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
