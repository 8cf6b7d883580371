import type { Client } from '../../../sdk/src/client.ts';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import type { Network } from '../../../sdk/src/generated/types.ts';
import type { Clock } from '../lib/clock.ts';
import { createStore, type Store } from '../lib/store.ts';
import { createLive, type LiveView } from './live.ts';

/** Whether somebody can see this tab. */
export interface Visibility {
  isVisible(): boolean;
  listen(changed: () => void): () => void;
}

export interface FollowOptions {
  client: Pick<Client, 'events'>;
  /** Ends it. */
  signal: AbortSignal;
  clock: Clock;
  visibility: Visibility;
  /** Called when the service ended the stream: the session may be over. */
  onEnd: () => void;
}

export interface Following {
  view: Store<LiveView>;
  /** Takes what a request answered. */
  observe(network: Network): void;
}

/** Many events in a row are shown at once. */
const showAfterMs = 40;
/** A browser has few connections to one host: a tab that nobody sees gives its own back. */
const hiddenMs = 10_000;

/** The events that came so far, shown together after a moment. */
function createShown({ signal, clock }: FollowOptions) {
  const live = createLive();
  const view = createStore(live.view());
  let cancel: (() => void) | undefined;
  const show = () => {
    cancel = undefined;
    view.set(live.view());
  };
  signal.addEventListener('abort', () => cancel?.());
  return {
    ...{ live, view, show },
    showSoon() {
      cancel ??= clock.after(showAfterMs, show);
    },
  };
}

/** Follows the events of the workspace while somebody sees the tab, and goes on where it was when somebody does again. */
export function followEvents(options: FollowOptions): Following {
  const { client, signal, clock, visibility, onEnd } = options;
  const { live, view, show, showSoon } = createShown(options);
  let lastEventId: string | undefined;

  async function run(ends: AbortSignal): Promise<void> {
    const onReconnect = (failure: unknown) => {
      live.setConnection('interrupted');
      showSoon();
      if (failure === undefined && !ends.aborted) onEnd();
    };
    const wanted = { types: ['network.*', 'snapshot.*'], signal: ends, lastEventId, onReconnect };
    try {
      for await (const event of client.events.stream(wanted)) {
        lastEventId = event.lastEventId || lastEventId;
        live.apply(event);
        live.setConnection(live.view().isComplete ? 'live' : 'connecting');
        showSoon();
      }
    } catch (error) {
      if (ends.aborted || isSlipwayError(error, 'Unauthorized')) return;
      live.setConnection('interrupted', error);
      showSoon();
    }
  }

  whileVisible({ signal, clock, visibility }, (own) => void run(AbortSignal.any([signal, own])));
  return {
    view,
    observe(network) {
      live.observe(network);
      show();
    },
  };
}

/** Begins at once and whenever the tab is seen again; its signal aborts a while after the tab was hidden. */
function whileVisible(
  { signal, clock, visibility }: Pick<FollowOptions, 'signal' | 'clock' | 'visibility'>,
  begin: (own: AbortSignal) => void,
): void {
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
}
