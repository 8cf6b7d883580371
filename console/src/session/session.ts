import { type Client, createClient } from '../../../sdk/src/client.ts';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import type { Me } from '../../../sdk/src/generated/types.ts';
import { createStore, type Store } from '../lib/store.ts';
import { withHandRepeats } from './handRepeats.ts';

/** Everything that ends when the user signs out or changes the workspace. */
export interface SignedIn {
  phase: 'signedIn';
  me: Me;
  client: Client;
  /** Aborts with it. */
  signal: AbortSignal;
}

type SessionState =
  | { phase: 'loading' }
  | { phase: 'failed'; error: unknown }
  | { phase: 'signedOut'; hasEnded: boolean }
  | SignedIn;

/** What keeps a browser signed in for longer than one page. */
export interface BrowserSessions {
  /** Exchanges an API key for a session of this browser. */
  open(client: Client, apiKey: string): Promise<unknown>;
  /** Ends a session. `current`: that of this browser. */
  end(client: Client, id: string): Promise<void>;
}

export interface Session {
  state: Store<SessionState>;
  /** Finds out who is signed in. Never throws: the state says what happened. Without `sessions`, a page keeps the API key itself. */
  start(sessions?: BrowserSessions): Promise<void>;
  /** Rejects with SlipwayError when the key is refused. */
  signIn(apiKey: string): Promise<void>;
  /** Enters after a sign-in that was made elsewhere: the browser has the cookie. */
  arrive(workspaceId?: string): Promise<void>;
  /** Signs in another way: `prove` makes the request that opens a session, and rejects when it is refused. */
  signInBy(prove: (client: Client) => Promise<unknown>): Promise<void>;
  signOut(): Promise<void>;
  /** Goes on in another workspace; without an id in the one that requests have by themselves. */
  enterWorkspace(id: string | undefined): Promise<void>;
  /** Asks whether the session is still there; signs out if it is not. */
  check(): Promise<void>;
}

/** Where the console remembers the workspace of this tab: its id is not a secret. */
export interface Memory {
  read(): string | undefined;
  write(workspaceId: string | undefined): void;
}

/** Tells the other tabs of this browser. */
export interface Tabs {
  tell(news: 'signedIn' | 'signedOut'): void;
  listen(heard: (news: 'signedIn' | 'signedOut') => void): void;
}

export interface SessionOptions {
  url: string;
  fetch: typeof globalThis.fetch;
  memory: Memory;
  tabs: Tabs;
  /** More than 0 while the page must stay: the state changes afterwards, and requests end at once all the same. */
  kept: Pick<Store<number>, 'get' | 'subscribe'>;
}

/** Shows the newest state, but not before the page may change. */
function createState(kept: SessionOptions['kept']) {
  const state = createStore<SessionState>({ phase: 'loading' });
  let next: SessionState = state.get();
  const showNext = () => {
    if (kept.get() === 0) state.set(next);
  };
  kept.subscribe(showNext);
  return {
    state,
    show(newest: SessionState) {
      next = newest;
      showNext();
    },
  };
}

/** Who is signed in, and the requests of that time. */
function createScopes({ url, fetch, memory, kept }: SessionOptions) {
  const { state, show } = createState(kept);
  let scope = new AbortController();
  let apiKey: string | undefined;

  function leave(hasEnded: boolean): void {
    apiKey = undefined;
    scope.abort(new DOMException('signed out', 'AbortError'));
    show({ phase: 'signedOut', hasEnded });
  }

  /** A client whose requests end with the session. */
  function clientFor(workspace: string | undefined, own: AbortController): Client {
    const guarded: typeof fetch = async (input, init) => {
      if (own.signal.aborted) return refusal();
      const response = await fetch(input, init);
      if (response.status === 401 && scope === own) leave(true);
      return response;
    };
    return createClient({ url, workspace, apiKey, fetch: withHandRepeats(guarded) });
  }

  async function enter(workspace: string | undefined): Promise<void> {
    scope.abort(new DOMException('another workspace', 'AbortError'));
    const own = new AbortController();
    scope = own;
    const client = clientFor(workspace, own);
    try {
      const me = await client.account.get({ signal: own.signal });
      memory.write(workspace);
      show({ phase: 'signedIn', me, client, signal: own.signal });
    } catch (error) {
      if (own.signal.aborted) return;
      // The workspace of the last time may be gone.
      if (workspace !== undefined && isSlipwayError(error, 'NotFound')) return enter(undefined);
      show({ phase: 'failed', error });
    }
  }

  return {
    state,
    show,
    leave,
    enter,
    /** Requests have this key from the next workspace on that is entered. */
    hold(key: string) {
      apiKey = key;
    },
  };
}

/**
 * The session of this tab. The first 401 of any request ends it at once: what runs is aborted, and nothing is sent any
 * more until somebody signs in.
 */
export function createSession(options: SessionOptions): Session {
  const { memory, tabs } = options;
  const scopes = createScopes(options);
  const { state, show, leave, enter } = scopes;
  let sessions: BrowserSessions | undefined;
  tabs.listen((news) => {
    if (news === 'signedOut' && state.get().phase === 'signedIn') leave(false);
    // All tabs share the cookie: what this one asks from now on, it asks as whoever has signed in.
    if (news === 'signedIn' && state.get().phase !== 'loading') void enter(memory.read());
  });
  return {
    state,
    async start(given) {
      sessions = given;
      show({ phase: 'loading' });
      await enter(memory.read());
      // Without a cookie, nothing has ended.
      if (state.get().phase === 'signedOut') show({ phase: 'signedOut', hasEnded: false });
    },
    async arrive(workspaceId) {
      await enter(workspaceId ?? memory.read());
      tabs.tell('signedIn');
    },
    ...createSignIn(options, scopes, () => sessions),
    enterWorkspace: (id) => enter(id),
    async check() {
      const now = state.get();
      if (now.phase === 'signedIn') await now.client.account.get({ signal: now.signal }).catch(() => {});
    },
  };
}

/** Signing in and out. */
function createSignIn(
  { url, fetch, memory, tabs }: SessionOptions,
  { state, leave, enter, hold }: ReturnType<typeof createScopes>,
  sessionsOf: () => BrowserSessions | undefined,
): Pick<Session, 'signIn' | 'signInBy' | 'signOut'> {
  const signInBy: Session['signInBy'] = async (prove) => {
    const before = state.get();
    const client = createClient({ url, fetch, retries: 1 });
    await prove(client);
    // The cookie of the former session is replaced: nobody could sign out of it here any more.
    const former = before.phase === 'signedIn' ? before.me.sessionID : undefined;
    if (former !== undefined)
      await sessionsOf()
        ?.end(client, former)
        .catch(() => {});
    await enter(memory.read());
    tabs.tell('signedIn');
  };
  return {
    signInBy,
    async signIn(text) {
      const apiKey = text.trim();
      const sessions = sessionsOf();
      if (sessions) return signInBy((client) => sessions.open(client, apiKey));
      await createClient({ url, fetch, retries: 1, apiKey }).account.get();
      hold(apiKey);
      await enter(memory.read());
    },
    async signOut() {
      const now = state.get();
      if (now.phase !== 'signedIn') return;
      await sessionsOf()
        ?.end(now.client, 'current')
        .catch((error) => {
          // A session that has ended needs no sign-out.
          if (!isSlipwayError(error, 'Unauthorized')) throw error;
        });
      leave(false);
      if (sessionsOf()) tabs.tell('signedOut');
    },
  };
}

/** What a request gets after the end of its session: it never leaves the browser. */
function refusal(): Response {
  const body = { kind: 'Error', reason: 'Unauthorized', message: 'the session has ended: sign in again' };
  return new Response(JSON.stringify(body), { status: 401, headers: { 'Content-Type': 'application/json' } });
}
