import { createStore } from '../lib/store.ts';
import { createSession } from './session.ts';

/** A service that knows one API key, and no sessions. */
function start() {
  const keys: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const key = new Headers(init?.headers).get('Authorization');
    keys.push(key);
    if (key === 'Bearer k1.right') return Response.json({ user: { id: 'ann' }, permissions: [] });
    return Response.json({ kind: 'Error', reason: 'Unauthorized', message: 'no' }, { status: 401 });
  };
  const told: string[] = [];
  const session = createSession({
    kept: createStore(0),
    url: 'https://slipway.example',
    fetch,
    memory: { read: () => undefined, write: () => {} },
    tabs: { tell: (news) => told.push(news), listen: () => {} },
  });
  return { session, keys, told };
}

test('where there are no sessions, an API key signs in this page alone', async () => {
  const { session, keys, told } = start();
  await session.start();
  await expect(session.signIn('k1.wrong')).rejects.toMatchObject({ status: 401 });
  expect(session.state.get()).toEqual({ phase: 'signedOut', hasEnded: false });
  await session.signIn(' k1.right ');
  expect(session.state.get()).toMatchObject({ phase: 'signedIn', me: { user: { id: 'ann' } } });
  expect([keys.at(-1), told]).toEqual(['Bearer k1.right', []]);
});

test('the key is forgotten when its user signs out', async () => {
  const { session, keys } = start();
  await session.start();
  await session.signIn('k1.right');
  await session.signOut();
  expect(session.state.get()).toEqual({ phase: 'signedOut', hasEnded: false });
  await session.start();
  expect(keys.at(-1)).toBeNull();
});
