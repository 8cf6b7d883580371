/** Something that others wait for and that happens at most once. */
export interface Gate {
  isOpen(): boolean;
  open(): void;
  /** Rejects current and later waits with `error`, unless the gate was opened before. */
  fail(error: Error): void;
  wait(): Promise<void>;
}

/** Creates a promise per wait, and only on demand, so that there is no unhandled rejection when nobody waits. */
export function createGate(): Gate {
  let isOpen = false;
  let failure: Error | undefined;
  let waiting: PromiseWithResolvers<void>[] = [];
  return {
    isOpen: () => isOpen,
    open() {
      isOpen = true;
      for (const waiter of waiting) waiter.resolve();
      waiting = [];
    },
    fail(error: Error) {
      failure = error;
      for (const waiter of waiting) waiter.reject(error);
      waiting = [];
    },
    wait() {
      if (isOpen) return Promise.resolve();
      if (failure) return Promise.reject(failure);
      const waiter = Promise.withResolvers<void>();
      waiting.push(waiter);
      return waiter.promise;
    },
  };
}
