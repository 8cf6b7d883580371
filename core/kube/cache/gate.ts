/** Something that others wait for and that happens once, or never. */
export interface Gate {
  isOpen(): boolean;
  open(): void;
  /** Whoever waits now or later gets `error`, unless the gate was opened before. */
  fail(error: Error): void;
  wait(): Promise<void>;
}

/** A promise for each who waits, made only when someone does: nobody must handle a rejection that nobody awaits. */
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
