import type { Client } from '../../../sdk/src/client.ts';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import type { EventObjects } from '../../../sdk/src/generated/types.ts';
import type { Clock } from '../lib/clock.ts';
import { createStore, type Store } from '../lib/store.ts';
import type { Activity } from './activity.ts';
import { forKinds, type KindName, kindNames, kinds } from './kinds.ts';
import { type Answered, createLive, type StreamView } from './live.ts';
import type { KindView } from './objects.ts';

/** Whether somebody can see this tab. */
export interface Visibility {
  isVisible(): boolean;
  listen(changed: () => void): () => void;
}

export interface FollowOptions {
  client: Pick<Client, 'events'>;
  /** What the user may do: kinds that it may not read are left out. */
  permissions: readonly string[];
  /** Ends it. */
  signal: AbortSignal;
  clock: Clock;
  visibility: Visibility;
  /** Called when the service ended the stream: the session may be over. */
  onEnd: () => void;
}

/** One store for each kind: a change of one kind concerns only the pages that show it. */
type KindStores = { readonly [Name in KindName]: Store<KindView<EventObjects[Name]>> };

export interface Following {
  stream: Store<StreamView>;
  kinds: KindStores;
  /** What happened to each network, the newest first; changes with the networks. */
  activity: ReadonlyMap<string, readonly Activity[]>;
  /** Takes what a request answered. */
  observe(object: Answered): void;
  /** Connects again now. */
  retry(): void;
}

/** Many events in a row are shown at once. */
const showAfterMs = 40;
/** A browser has few connections to one host: a tab that nobody sees gives its own back. */
const hiddenMs = 10_000;

/** The events that came so far, shown together after a moment. */
function createShown({ signal, clock }: FollowOptions) {
  const live = createLive();
  const stream = createStore(live.stream());
  const stores = forKinds<KindStores>((name) => createStore(live.views()[name]));
  let cancel: (() => void) | undefined;
  const show = () => {
    cancel = undefined;
    const views = live.views();
    const showKind = <Name extends KindName>(name: Name) => stores[name].set(views[name]);
    kindNames.forEach(showKind);
    stream.set(live.stream());
  };
  signal.addEventListener('abort', () => cancel?.());
  return {
    live,
    stream,
    stores,
    show,
    showSoon() {
      cancel ??= clock.after(showAfterMs, show);
    },
  };
}

/** The types of events that the user may read. */
function wantedTypes(permissions: readonly string[]) {
  const readable = kindNames.filter((name) => permissions.includes(kinds[name].permission));
  return readable.map((name) => `${name}.*` as const);
}

/** Follows the events of the workspace while somebody sees the tab, and goes on where it was when somebody does again. */
export function followEvents(options: FollowOptions): Following {
  const { client, permissions, signal, clock, visibility, onEnd } = options;
  const { live, stream, stores, show, showSoon } = createShown(options);
  const types = wantedTypes(permissions);
  let lastEventId: string | undefined;

  async function run(ends: AbortSignal): Promise<void> {
    const onReconnect = (failure: unknown) => {
      live.setConnection('interrupted', failure);
      showSoon();
      if (failure === undefined && !ends.aborted) onEnd();
    };
    const wanted = { types, signal: ends, lastEventId, onReconnect };
    try {
      for await (const event of client.events.stream(wanted)) {
        lastEventId = event.lastEventId || lastEventId;
        live.apply(event);
        live.setConnection(live.stream().isComplete ? 'live' : 'connecting');
        showSoon();
      }
    } catch (error) {
      if (ends.aborted || isSlipwayError(error, 'Unauthorized')) return;
      live.setConnection('ended', error);
      showSoon();
    }
  }

  let startAgain = () => {};
  if (types.length > 0) {
    const begin = (own: AbortSignal) => void run(AbortSignal.any([signal, own]));
    startAgain = whileVisible({ signal, clock, visibility }, begin);
  } else {
    // There is nothing to wait for.
    live.apply({ id: '', type: 'stream.ready', createdAt: '', workspace: '', lastEventId: '' });
    show();
  }
  return {
    stream,
    kinds: stores,
    activity: live.activity,
    observe(object) {
      live.observe(object);
      show();
    },
    retry() {
      live.setConnection('connecting');
      show();
      startAgain();
    },
  };
}

/**
 * Begins at once and whenever the tab is seen again; its signal aborts a while after the tab was hidden. Returns what ends the
 * one that runs and begins another one.
 */
function whileVisible(
  { signal, clock, visibility }: Pick<FollowOptions, 'signal' | 'clock' | 'visibility'>,
  begin: (own: AbortSignal) => void,
): () => void {
  let running: AbortController | undefined;
  let cancelPause = () => {};
  const start = () => {
    cancelPause();
    if (running || signal.aborted) return;
    running = new AbortController();
    begin(running.signal);
  };
  const pauseSoon = () => {
    cancelPause();
    cancelPause = clock.after(hiddenMs, () => {
      running?.abort();
      running = undefined;
    });
  };
  const stopListening = visibility.listen(() => (visibility.isVisible() ? start() : pauseSoon()));
  signal.addEventListener('abort', () => {
    stopListening();
    cancelPause();
  });
  start();
  return () => {
    running?.abort();
    running = undefined;
    start();
  };
}
