import { QueryCache, QueryClient } from '@tanstack/react-query';
import { systemClock } from '../lib/clock.ts';
import { createStore } from '../lib/store.ts';
import { followEvents, type Visibility } from '../live/follow.ts';
import { session } from '../session/browser.ts';
import type { Inside } from '../session/context.tsx';
import { tellMissing } from '../ui/toasts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `aside`: what is missing when a query fails whose page has no place to say so. */
    queryMeta: { aside?: string };
  }
}

/** The client repeats what may pass; nothing is asked for again without a reason. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { meta }) => meta?.aside !== undefined && tellMissing(meta.aside, error),
  }),
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

const visibility: Visibility = {
  isVisible: () => document.visibilityState === 'visible',
  listen(changed) {
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  },
};

/** What is there while somebody is signed in. */
export const inside = createStore<Inside | undefined>(undefined);

/** Starts with each sign-in what its pages need, and ends it with it. */
export function keepInside(): void {
  session.state.subscribe(() => {
    void queryClient.cancelQueries();
    queryClient.clear();
    const now = session.state.get();
    if (now.phase !== 'signedIn') return inside.set(undefined);
    const { client, me, signal } = now;
    const { permissions } = me;
    const onEnd = () => void session.check();
    const following = followEvents({ client, permissions, signal, clock: systemClock, visibility, onEnd });
    inside.set({ ...now, following, observe: following.observe });
  });
}
