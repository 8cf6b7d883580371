import { createStore } from '../../../console/src/lib/store.ts';
import { createSession, type Tabs } from '../../../console/src/session/session.ts';
import { sessions } from './lib/sessions.ts';

interface Call {
  method: string;
  path: string;
  workspace: string | null;
}

/** A link signs in whoever has it; the former session of the browser ends. */
function answerOfOthers(pathname: string): Response | undefined {
  if (pathname.endsWith('/sign-in/link')) return Response.json({ id: 's1' }, { status: 201 });
  return pathname.endsWith('/s0') ? new Response(null, { status: 204 }) : undefined;
}

interface Known {
  userId: string;
  workspaces: readonly string[];
}

function answerMe({ userId, workspaces }: Known, workspace: string | null): Response {
  if (workspace && !workspaces.includes(workspace)) return failure(404, 'NotFound');
  const me = {
    user: { id: userId },
    workspace: { id: workspace ?? 'one' },
    permissions: [],
    sessionID: 's0',
  };
  return Response.json(me);
}

/** A service that knows one session, until it is ended. */
function start({ isSignedIn = true } = {}) {
  const service = { isSignedIn, userId: 'ann', workspaces: ['one', 'two'], calls: [] as Call[] };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const workspace = new Headers(init?.headers).get('x-workspace-id');
    service.calls.push({ method: init?.method ?? 'GET', path: pathname, workspace });
    if (pathname.endsWith('/sessions') && init?.method === 'POST') {
      const isRight = String(init.body).includes('right');
      service.isSignedIn ||= isRight;
      return isRight ? Response.json({ id: 's1' }, { status: 201 }) : failure(401, 'Unauthorized');
    }
    const other = answerOfOthers(pathname);
    if (other) return other;
    if (!service.isSignedIn) return failure(401, 'Unauthorized');
    if (init?.method === 'DELETE') {
      service.isSignedIn = false;
      return new Response(null, { status: 204 });
    }
    return answerMe(service, workspace);
  };
  const memory = { id: undefined as string | undefined };
  const told: string[] = [];
  let heard: Parameters<Tabs['listen']>[0] = () => {};
  const kept = createStore(0);
  const created = createSession({
    kept,
    url: 'https://slipway.example',
    fetch,
    memory: {
      read: () => memory.id,
      write: (id) => {
        memory.id = id;
      },
    },
    tabs: {
      tell: (news) => told.push(news),
      listen: (listener) => {
        heard = listener;
      },
    },
  });
  const session = { ...created, start: () => created.start(sessions) };
  const phase = () => session.state.get().phase;
  return {
    session,
    service,
    memory,
    told,
    kept,
    hear: (news: 'signedIn' | 'signedOut') => heard(news),
    phase,
  };
}

const failure = (status: number, reason: string) =>
  Response.json({ kind: 'Error', reason, message: 'no' }, { status });

/** What pages have after the sign-in. */
function inside({ session }: ReturnType<typeof start>) {
  const state = session.state.get();
  if (state.phase !== 'signedIn') throw new Error(state.phase);
  return state;
}

test('a browser with a session is signed in', async () => {
  const world = start();
  await world.session.start();
  expect(inside(world).me.user.id).toBe('ann');
});

test('a browser without one is asked to sign in, and is not told that anything ended', async () => {
  const { session } = start({ isSignedIn: false });
  await session.start();
  expect(session.state.get()).toEqual({ phase: 'signedOut', hasEnded: false });
});

test('a wrong key is an error, a right one signs in', async () => {
  const { session, phase, told } = start({ isSignedIn: false });
  await session.start();
  await expect(session.signIn('wrong')).rejects.toMatchObject({ status: 401 });
  expect(phase()).toBe('signedOut');
  await session.signIn(' right ');
  expect([phase(), told]).toEqual(['signedIn', ['signedIn']]);
});

test('another way to sign in replaces the session of this browser, and the other tabs learn of it', async () => {
  const world = start();
  await world.session.start();
  const { signal } = inside(world);
  await world.session.signInBy((client) => client.signIn.withLink({ token: 'once' }));
  expect([world.phase(), signal.aborted, world.told]).toEqual(['signedIn', true, ['signedIn']]);
  const sent = world.service.calls.map(
    ({ method, path }) => `${method} ${path.split('/').slice(3).join('/')}`,
  );
  expect(sent).toEqual(['GET me', 'POST sign-in/link', 'DELETE sessions/s0', 'GET me']);
});

test('a way that is refused leaves the session as it is', async () => {
  const world = start();
  await world.session.start();
  const refused = new Error('refused');
  await expect(world.session.signInBy(() => Promise.reject(refused))).rejects.toBe(refused);
  expect([world.phase(), world.told]).toEqual(['signedIn', []]);
});

test('the first 401 of any request ends the session: all else is aborted, and nothing more is sent', async () => {
  const world = start();
  await world.session.start();
  const { client, signal } = inside(world);
  world.service.isSignedIn = false;
  await expect(client.networks.list()).rejects.toMatchObject({ status: 401 });
  expect(world.session.state.get()).toEqual({ phase: 'signedOut', hasEnded: true });
  expect(signal.aborted).toBe(true);
  const sent = world.service.calls.length;
  for (let count = 0; count < 20; count += 1) {
    await expect(client.networks.list()).rejects.toMatchObject({ status: 401 });
  }
  await world.session.check();
  expect(world.service.calls).toHaveLength(sent);
});

test('signing out ends the session at the service, and in the other tabs', async () => {
  const world = start();
  await world.session.start();
  await world.session.signOut();
  expect([world.service.isSignedIn, world.phase(), world.told]).toEqual([false, 'signedOut', ['signedOut']]);
});

test('a tab follows the others', async () => {
  const world = start();
  await world.session.start();
  world.hear('signedOut');
  expect(world.phase()).toBe('signedOut');
  world.hear('signedIn');
  await new Promise((resolve) => world.session.state.subscribe(() => resolve(undefined)));
  expect(world.phase()).toBe('signedIn');
});

test('a tab does not go on as one user when another has signed in elsewhere', async () => {
  const world = start();
  await world.session.start();
  const { signal } = inside(world);
  world.service.userId = 'bob';
  world.hear('signedIn');
  await new Promise((resolve) => world.session.state.subscribe(() => resolve(undefined)));
  expect([inside(world).me.user.id, signal.aborted]).toEqual(['bob', true]);
});

describe('while the page shows what nothing shows again', () => {
  test('signing out in another tab ends all requests, and is shown afterwards', async () => {
    const world = start();
    await world.session.start();
    const { client, signal } = inside(world);
    world.kept.set(1);
    world.hear('signedOut');
    expect([world.phase(), signal.aborted]).toEqual(['signedIn', true]);
    await expect(client.networks.list()).rejects.toMatchObject({ status: 401 });
    world.kept.set(0);
    expect(world.session.state.get()).toEqual({ phase: 'signedOut', hasEnded: false });
  });

  test('so is a session that has ended', async () => {
    const world = start();
    await world.session.start();
    world.kept.set(1);
    world.service.isSignedIn = false;
    await world.session.check();
    expect(world.phase()).toBe('signedIn');
    world.kept.set(0);
    expect(world.session.state.get()).toEqual({ phase: 'signedOut', hasEnded: true });
  });

  test('another user who signs in elsewhere is shown afterwards', async () => {
    const world = start();
    await world.session.start();
    const before = inside(world);
    world.kept.set(1);
    world.service.userId = 'bob';
    await world.session.arrive();
    expect([inside(world), before.signal.aborted]).toEqual([before, true]);
    world.kept.set(0);
    expect(inside(world).me.user.id).toBe('bob');
  });
});

describe('workspaces', () => {
  test('requests are made in the chosen one, and what ran in the other ends', async () => {
    const world = start();
    await world.session.start();
    const { signal } = inside(world);
    await world.session.enterWorkspace('two');
    expect([signal.aborted, inside(world).me.workspace?.id, world.memory.id]).toEqual([true, 'two', 'two']);
    await inside(world).client.networks.list();
    expect(world.service.calls.at(-1)?.workspace).toBe('two');
  });

  test('one that is gone gives way to that of the key', async () => {
    const world = start();
    world.memory.id = 'gone';
    await world.session.start();
    expect([inside(world).me.workspace?.id, world.memory.id]).toEqual(['one', undefined]);
  });
});
