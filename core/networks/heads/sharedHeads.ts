import type { Clock } from '../../lib/clock.ts';
import { doubledMs } from '../../lib/work/backoff.ts';
import type { OpenHeads } from './openHeads.ts';
import type { Head, Subscription } from './subscriptions.ts';

export type { Head } from './subscriptions.ts';

/** What a subscription needs of a network. */
export interface HeadsEndpoint {
  url: string;
  subscription: Subscription;
}

/** One subscription for each network that somebody follows, whoever and however many they are. */
export interface SharedHeads {
  /**
   * Calls `listener` with the newest block if it is known, with later ones (of many at once, the newest one), and without one when the network
   * changed or its node no longer announces its blocks. Returns a function that ends this.
   */
  follow(networkUid: string, listener: (head?: Head) => void): () => void;
  /** Whether the node of a network that is followed announces each of its blocks now. */
  isSubscribed(networkUid: string): boolean;
  close(): void;
}

interface SharedHeadsOptions {
  /** The endpoint of a network's node; undefined while it has none. */
  endpointOf(networkUid: string): HeadsEndpoint | undefined;
  /** Called with the uid of each network that changed. */
  onChange(listener: (networkUid: string) => void): () => void;
  open: OpenHeads;
  clock: Clock;
}

interface Shared {
  listeners: Set<(head?: Head) => void>;
  newest?: Head | undefined;
  /** The URL of the open subscription. */
  url?: string | undefined;
  close(): void;
  failures: number;
  isSubscribed: boolean;
}

const backoff = { baseMs: 500, maxMs: 30_000 };

export function createSharedHeads(options: SharedHeadsOptions): SharedHeads {
  const all = new Map<string, Shared>();
  const endNews = options.onChange((uid) => update(options, uid, all.get(uid)));
  return {
    follow(uid, listener) {
      const shared = all.get(uid) ?? {
        listeners: new Set(),
        close: () => {},
        failures: 0,
        isSubscribed: false,
      };
      all.set(uid, shared);
      shared.listeners.add(listener);
      if (shared.newest) listener(shared.newest);
      if (shared.url === undefined) update(options, uid, shared);
      return () => {
        if (!shared.listeners.delete(listener) || shared.listeners.size > 0) return;
        end(shared);
        all.delete(uid);
      };
    },
    isSubscribed: (uid) => all.get(uid)?.isSubscribed ?? false,
    close() {
      endNews();
      for (const shared of all.values()) end(shared);
      all.clear();
    },
  };
}

function notify(shared: Shared, head?: Head): void {
  for (const listener of [...shared.listeners]) listener(head);
}

/** Makes the subscription the one that the network needs now. */
function update(options: SharedHeadsOptions, uid: string, shared: Shared | undefined): void {
  if (!shared) return;
  const endpoint = options.endpointOf(uid);
  if (endpoint?.url !== shared.url) end(shared);
  if (endpoint && shared.url === undefined) begin(options, shared, endpoint);
  notify(shared);
}

function begin(options: SharedHeadsOptions, shared: Shared, endpoint: HeadsEndpoint): void {
  shared.url = endpoint.url;
  shared.close = options.open({
    ...endpoint,
    clock: options.clock,
    onHead(head) {
      shared.failures = 0;
      if (isSame(head, shared.newest)) return;
      shared.newest = head;
      notify(shared, head);
    },
    onBegin() {
      shared.isSubscribed = true;
      notify(shared);
    },
    onEnd() {
      shared.isSubscribed = false;
      shared.failures += 1;
      const waitMs = doubledMs(shared.failures, backoff);
      shared.close = options.clock.after(waitMs, () => begin(options, shared, endpoint), 'background');
      notify(shared);
    },
  });
}

const isSame = (head: Head, other: Head | undefined): boolean =>
  head.number === other?.number && head.hash === other.hash;

function end(shared: Shared): void {
  shared.close();
  Object.assign(shared, {
    url: undefined,
    newest: undefined,
    failures: 0,
    isSubscribed: false,
    close: () => {},
  });
}
