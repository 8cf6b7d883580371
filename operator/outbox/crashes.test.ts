import { type Crashes, howMuchToSend, noteSent } from './crashes.ts';

const hash = '0xaa';
const processOf = (index: number) => `0x${index}`;

/** What is sent to each of several processes, of which each ends some time after it got its transactions. */
function sendTo(count: number, livesMs: number, nameOf = processOf) {
  const crashes: Crashes = { count: 0 };
  let nowMs = 0;
  return Array.from({ length: count }, (_, index) => {
    const next = { instance: nameOf(index), nowMs, hash };
    const much = howMuchToSend(crashes, next);
    if (much !== 'none') noteSent(crashes, { ...next, isAlone: much === 'one' });
    nowMs += livesMs;
    return much;
  });
}

it('a transaction that crashes each process is sent alone, and then not any more', () => {
  expect(sendTo(7, 5_000)).toEqual(['all', 'all', 'one', 'one', 'one', 'none', 'all']);
});

it('restarts that have nothing to do with it do not count', () => {
  expect(new Set(sendTo(20, 120_000))).toEqual(new Set(['all']));
});

it('a pod that is replaced says nothing about a process', () => {
  expect(new Set(sendTo(20, 5_000, (index) => `pod-${index}`))).toEqual(new Set(['all']));
});

it('a process that has lived for a minute is trusted again', () => {
  const crashes: Crashes = { count: 2 };
  const seen = [0, 30_000, 60_000].map((nowMs) => {
    const next = { instance: processOf(1), nowMs, hash };
    const much = howMuchToSend(crashes, next);
    noteSent(crashes, { ...next, isAlone: much === 'one' });
    return much;
  });
  expect(seen).toEqual(['one', 'one', 'all']);
});

it('what was not sent alone, or comes after it, is not blamed', () => {
  const sent = { instance: processOf(1), hash, sinceMs: 0, lastMs: 0 };
  const look = { instance: processOf(2), nowMs: 10, hash };
  expect(howMuchToSend({ count: 4, sent: { ...sent, isAlone: false } }, look)).toBe('one');
  expect(howMuchToSend({ count: 4, sent: { ...sent, isAlone: true } }, { ...look, hash: '0xbb' })).toBe(
    'one',
  );
});
