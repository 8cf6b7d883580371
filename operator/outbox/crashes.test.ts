import { type Crashes, maySend, noteSent } from './crashes.ts';

const hash = '0xaa';

/** What may be sent to each of several processes, of which each ends some time after it got its transactions. */
function sendTo(count: number, livesMs: number, crashes: Crashes = { count: 0 }) {
  let nowMs = 0;
  return Array.from({ length: count }, (_, index) => {
    const instance = `process-${index}`;
    const verdict = maySend(crashes, { instance, nowMs, hash });
    if (verdict !== 'none') noteSent(crashes, { hash, instance, atMs: nowMs });
    nowMs += livesMs;
    return verdict;
  });
}

it('a transaction that ends each process soon is sent alone, and then not any more', () => {
  expect(sendTo(6, 5_000)).toEqual(['all', 'all', 'one', 'one', 'none', 'one']);
});

it('restarts that have nothing to do with it do not count', () => {
  expect(new Set(sendTo(20, 120_000))).toEqual(new Set(['all']));
});

it('the same process may get it as often as it takes', () => {
  const crashes: Crashes = { count: 0 };
  for (let nowMs = 0; nowMs < 20_000; nowMs += 1000) {
    expect(maySend(crashes, { instance: 'one', nowMs, hash })).toBe('all');
    noteSent(crashes, { hash, instance: 'one', atMs: nowMs });
  }
});

it('what comes after the transaction that ended them is not blamed', () => {
  const crashes: Crashes = { count: 3, sent: { hash, instance: 'one', atMs: 0 } };
  expect(maySend(crashes, { instance: 'two', nowMs: 10, hash: '0xbb' })).toBe('one');
});
