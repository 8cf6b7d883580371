export interface SerializedWriterOptions<Item, Result> {
  /** Writes a group of at least one item; one result for each item, in their order. */
  write(key: string, group: readonly Item[]): Promise<readonly Result[]>;
  /** How many of the waiting items, from the first on, share the next write: all of them when absent. */
  groupSize?(waiting: readonly Item[]): number;
}

export interface SerializedWriter<Item, Result> {
  /** Resolves with the item's result when its group is written; rejects when that write fails. */
  write(key: string, item: Item): Promise<Result>;
  isBusy(key: string): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** One write at a time for each key: items that come in the meantime share the next one. */
export function createSerializedWriter<Item, Result>({
  write,
  groupSize = (waiting) => waiting.length,
}: SerializedWriterOptions<Item, Result>): SerializedWriter<Item, Result> {
  const queues = new Map<string, Waiting<Item, Result>[]>();

  async function writeGroup(key: string, group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(
        key,
        group.map(({ item }) => item),
      );
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function work(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const size = groupSize(queue.map(({ item }) => item));
      await writeGroup(key, queue.splice(0, Math.max(1, size)));
    }
    queues.delete(key);
  }

  return {
    write: (key, item) =>
      new Promise((resolve, reject) => {
        const running = queues.get(key);
        const queue = running ?? [];
        queue.push({ item, resolve, reject });
        if (running) return;
        queues.set(key, queue);
        void work(key, queue);
      }),
    isBusy: (key) => queues.has(key),
  };
}
