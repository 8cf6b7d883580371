import { createManualClock } from '../../../core/lib/manualClock.ts';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { createCallTurns } from './callTurns.ts';

const flood = 100;

function setUp() {
  const clock = createManualClock();
  const shareOf = (workspace: string) => `account of ${workspace}`;
  const turns = createCallTurns({ clock, budgets: noBudgetMetrics, shareOf });
  const started: string[] = [];
  /** A call that ends when the returned function is called. */
  const call = async (networkUid: string, workspace: string, key = 'public') => {
    const end = await turns.begin({ networkUid, workspace, key });
    started.push(key === 'public' ? networkUid : key);
    return end;
  };
  return { clock, started, call };
}

const settle = () => new Promise(setImmediate);

it('starts sixteen calls of an account at once, and the next one when one of them has ended', async () => {
  const { started, call } = setUp();
  const calls = Array.from({ length: flood }, () => call('chain', 'ann'));
  await settle();
  expect(started).toHaveLength(16);
  (await calls[0])?.();
  await settle();
  expect(started).toHaveLength(17);
});

it('the calls of others start at once beside a flood', async () => {
  const { started, call } = setUp();
  for (let count = 0; count < flood; count += 1) void call('flooded', 'mallory');
  await settle();
  void call('calm', 'ann');
  await settle();
  expect(started.at(-1)).toBe('calm');
});

it('the networks of an account take turns', async () => {
  const { started, call } = setUp();
  const calls = Array.from({ length: flood }, () => call('flooded', 'ann'));
  await settle();
  void call('calm', 'ann');
  for (const end of await Promise.all(calls.slice(0, 2))) end();
  await settle();
  expect(started.slice(16)).toContain('calm');
});

it('the keys of a network take turns, and none is refused for another', async () => {
  const { started, call } = setUp();
  const calls = Array.from({ length: 16 + 2048 }, () => call('flooded', 'ann'));
  await settle();
  void call('flooded', 'ann', 'admin');
  for (const end of await Promise.all(calls.slice(0, 2))) end();
  await settle();
  expect(started.slice(16)).toContain('admin');
});

it('a call that lasts makes room for another, so that slow calls hold up nothing', async () => {
  const { clock, started, call } = setUp();
  for (let count = 0; count < 20; count += 1) void call('chain', 'ann');
  await settle();
  await clock.advance(49);
  await settle();
  expect(started).toHaveLength(16);
  await clock.advance(1);
  await settle();
  expect(started).toHaveLength(20);
});

it('refuses a network whose calls wait by the thousand', async () => {
  const { call } = setUp();
  const calls = Array.from({ length: 16 + 2048 }, () => call('chain', 'ann'));
  await settle();
  await expect(call('chain', 'ann')).rejects.toMatchObject({ reason: 'TooManyRequests' });
  (await calls[0])?.();
});
