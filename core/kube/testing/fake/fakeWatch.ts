import { AppError } from '../../../lib/errors.ts';
import type { KubeObject, ResourceType, WatchEvent, WatchOptions } from '../../kube.ts';
import type { FakeStorage, LogEntry } from './fakeStorage.ts';
import { kindKey } from './fakeStorage.ts';

/** Which objects of a type a list or watch selects. */
export type Selection = (object: KubeObject) => boolean;

type Item = WatchEvent<KubeObject> | { type: 'END' } | { type: 'FAIL'; error: Error };

/** The open watches of a fake. */
export interface FakeWatches {
  open(
    type: ResourceType,
    options: WatchOptions,
    isSelected: Selection,
  ): AsyncGenerator<WatchEvent<KubeObject>>;
  /** Sends an item to all open watches. */
  send(item: Item): void;
  count(): number;
}

export function createFakeWatches(storage: FakeStorage): FakeWatches {
  const mailboxes = new Set<ReturnType<typeof createMailbox>>();

  async function* open(type: ResourceType, options: WatchOptions, isSelected: Selection) {
    const past = storage.since(type, Number(options.resourceVersion));
    if (!past) throw new AppError('Conflict', 'too old resource version');
    const mailbox = createMailbox();
    const deliver = (entry: LogEntry) => {
      const event = entry.kind === kindKey(type) ? seenBy(isSelected, entry) : undefined;
      if (event) mailbox.put(event);
    };
    past.forEach(deliver);
    const unsubscribe = storage.subscribe(deliver);
    const end = () => mailbox.put({ type: 'END' });
    options.signal.addEventListener('abort', end, { once: true });
    mailboxes.add(mailbox);
    try {
      while (!options.signal.aborted) {
        const item = await mailbox.take();
        if (item.type === 'END') return;
        if (item.type === 'FAIL') throw item.error;
        yield structuredClone(item);
      }
    } finally {
      mailboxes.delete(mailbox);
      unsubscribe();
      options.signal.removeEventListener('abort', end);
    }
  }

  return {
    open,
    send(item) {
      for (const mailbox of [...mailboxes]) mailbox.put(item);
    },
    count: () => mailboxes.size,
  };
}

/** An object that starts to match a selection is ADDED to it, one that no longer matches is DELETED from it. */
function seenBy(isSelected: Selection, entry: LogEntry): WatchEvent<KubeObject> | undefined {
  const { type, object, previous } = entry;
  const wasIn = previous !== undefined && isSelected(previous);
  const isIn = isSelected(object);
  if (type === 'DELETED') return wasIn ? { type, object } : undefined;
  if (isIn) return { type: wasIn ? 'MODIFIED' : 'ADDED', object };
  return wasIn ? { type: 'DELETED', object } : undefined;
}

function createMailbox() {
  const items: Item[] = [];
  let waiting: ((item: Item) => void) | undefined;
  return {
    put(item: Item) {
      if (!waiting) {
        items.push(item);
        return;
      }
      waiting(item);
      waiting = undefined;
    },
    take(): Promise<Item> {
      const item = items.shift();
      if (item) return Promise.resolve(item);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
  };
}
