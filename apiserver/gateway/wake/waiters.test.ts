import { defaultLimits } from '../deps.ts';
import { createWaiters } from './waiters.ts';

/** Networks are named `<workspace>/<number>`. */
function setUp() {
  const refused: string[] = [];
  const waiters = createWaiters({
    limits: defaultLimits,
    metrics: { held: () => undefined },
    budgets: { refused: (budget) => void refused.push(budget) },
    shareOf: (uid) => uid.split('/')[0] ?? '',
  });
  /** Calls of 32 networks of a workspace, as many as may wait. */
  const fill = (workspace: string) => {
    const leaves: (() => void)[] = [];
    for (let number = 0; number < 32; number += 1) {
      const uid = `${workspace}/${number}`;
      while (!waiters.refuse(uid)) leaves.push(waiters.enter(uid, () => undefined));
    }
    return leaves;
  };
  return { waiters, fill, refused };
}

it('the starting networks of one workspace hold a quarter of the places, and others find theirs', () => {
  const { waiters, fill } = setUp();
  expect(fill('greedy')).toHaveLength(1024);
  expect(fill('other').length).toBeGreaterThan(defaultLimits.heldPerNetwork);
  expect(waiters.refuse('greedy/40')?.message).toBe(
    'the network is starting, and the calls to networks of its owner hold their share of the 4096 places to wait in: retry',
  );
});

it('however many workspaces wait, another one can', () => {
  const { waiters, fill } = setUp();
  for (let number = 0; number < 50; number += 1) expect(fill(`greedy-${number}`).length).toBeGreaterThan(0);
  for (let number = 0; number < 4; number += 1) {
    expect(waiters.refuse('new/1')).toBeUndefined();
    waiters.enter('new/1', () => undefined);
  }
});

it('a refusal says of which network it is, when to retry, and is counted', () => {
  const { waiters, refused } = setUp();
  for (let number = 0; number < defaultLimits.heldPerNetwork; number += 1)
    waiters.enter('a/1', () => undefined);
  expect(waiters.refuse('a/2')).toBeUndefined();
  expect(refused).toEqual([]);
  expect(waiters.refuse('a/1')).toMatchObject({
    reason: 'Unavailable',
    message: 'the network is starting, and 256 calls wait for it, which is the limit: retry',
    retryAfterSeconds: 2,
  });
  expect(refused).toEqual(['heldCalls']);
});

it('a call that is answered gives its place to another one of its workspace', () => {
  const { waiters, fill } = setUp();
  const [leave] = fill('a');
  expect(waiters.refuse('a/40')).toBeDefined();
  leave?.();
  leave?.();
  expect(waiters.refuse('a/40')).toBeUndefined();
  waiters.enter('a/40', () => undefined);
  expect(waiters.refuse('a/40')).toBeDefined();
});
