import fc from 'fast-check';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { createDelays, type Delays } from './delays.ts';

let clock: ManualClock;
let ended: string[];
let jumpMs: number;
let timers: number;
let delays: Delays;
beforeEach(() => {
  clock = createManualClock();
  [ended, jumpMs, timers] = [[], 0, 0];
  delays = createDelays(
    {
      ...clock,
      nowMs: () => clock.nowMs() + jumpMs,
      after(delayMs, callback) {
        timers += 1;
        const cancel = clock.after(delayMs, () => {
          timers -= 1;
          callback();
        });
        return () => {
          timers -= 1;
          cancel();
        };
      },
    },
    (key) => ended.push(key),
  );
});

it('ends each key once, after the shortest of its delays', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const step = fc.record({ key, delayMs: fc.integer({ min: 1, max: 40 }), passMs: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      delays.clear();
      ended = [];
      const due = new Map<string, number>();
      const expected: [number, string][] = [];
      const startMs = clock.nowMs();
      const seen: [number, string][] = [];
      const pass = () => {
        clock.advance(1);
        for (const one of ended.splice(0)) seen.push([clock.nowMs() - startMs, one]);
        for (const [one, atMs] of due) {
          if (atMs > clock.nowMs() - startMs) continue;
          expected.push([atMs, one]);
          due.delete(one);
        }
      };
      for (const { key: one, delayMs, passMs } of [...steps, { key: 'a', delayMs: 1, passMs: 60 }]) {
        delays.set(one, delayMs);
        const atMs = clock.nowMs() - startMs + delayMs;
        due.set(one, Math.min(due.get(one) ?? atMs, atMs));
        for (let ms = 0; ms < passMs; ms += 1) pass();
      }
      const sorted = (all: [number, string][]) => all.map(([ms, one]) => `${ms} ${one}`).toSorted();
      expect(sorted(seen)).toEqual(sorted(expected));
    }),
  );
});

it('has one timer for all keys, and none when nothing waits', () => {
  for (let key = 0; key < 100; key += 1) delays.set(`key-${key}`, 1_000 + key);
  expect(timers).toBe(1);
  clock.advance(2_000);
  expect([timers, ended.length]).toEqual([0, 100]);
});

it('ends all delays that are over by a clock that has jumped as soon as one is set', () => {
  delays.set('a', 900_000);
  delays.set('b', 900_000);
  jumpMs = 3_600_000;
  delays.set('c', 500);
  expect(ended).toEqual(['a', 'b']);
});

it('makes no delay longer when the clock is set back', () => {
  delays.set('a', 10_000);
  delays.set('b', 20_000);
  jumpMs = -3_600_000;
  clock.advance(10_000);
  expect(ended).toEqual(['a']);
  clock.advance(10_000);
  expect(ended).toEqual(['a', 'b']);
});

it('ends nothing once it is cleared', () => {
  delays.set('a', 10);
  delays.clear();
  clock.advance(20);
  expect([timers, ended]).toEqual([0, []]);
});
