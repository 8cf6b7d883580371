/** What a look at the object says: where it stands, and whether the wait is over. */
export interface Look {
  /** For people: the state, the step and the message. */
  text: string;
  /** For --ndjson. */
  step: object;
  isDone: boolean;
  /** Why it will never be done. */
  problem?: string | undefined;
}

/** Looks that events bring, one for each state that the object goes through; `ready` once the events are complete. */
export type Feed = (signal: AbortSignal) => AsyncIterable<Look | 'ready'>;

export interface RunningFeed {
  /** Whether every change arrives here. */
  isLive(): boolean;
  /** What has arrived since the last call. */
  take(): Look[];
  /** Resolves when something arrives. */
  next(): Promise<void>;
}

/** Reads a feed in the background. One that fails is not live: whoever uses it looks by itself. */
export function startFeed(feed: Feed | undefined, signal: AbortSignal): RunningFeed {
  let looks: Look[] = [];
  let isLive = false;
  let bell = Promise.withResolvers<void>();
  async function read(): Promise<void> {
    if (!feed) return;
    try {
      for await (const look of feed(signal)) {
        isLive = true;
        if (look === 'ready') continue;
        looks.push(look);
        bell.resolve();
      }
    } catch {
      // An older installation has no events, and a budget may refuse them.
    }
    isLive = false;
  }
  void read();
  return {
    isLive: () => isLive,
    take() {
      const taken = looks;
      looks = [];
      bell = Promise.withResolvers<void>();
      return taken;
    },
    next: () => bell.promise,
  };
}
