import { createSchedule } from './due.ts';

const kib = 1024;
const second = 1000;

test.each<[string, { changedAt: number; nowAt: number; bytes: number }, boolean]>([
  ['much was added', { changedAt: 1, nowAt: 2, bytes: 257 * kib }, true],
  ['little was added, which is told when it has settled', { changedAt: 1, nowAt: 2, bytes: 10 * kib }, false],
  ['it has settled', { changedAt: 1, nowAt: 9, bytes: 10 * kib }, true],
  [
    'there are changes all the time, and the last count is a minute old',
    { changedAt: 60, nowAt: 61, bytes: 1 },
    true,
  ],
  ['nothing has changed since the last count had settled', { changedAt: -10, nowAt: 3600, bytes: 0 }, false],
])('a count is due or not: %s', (_reason, { changedAt, nowAt, bytes }, isDue) => {
  const schedule = createSchedule();
  schedule.published('a', { nowMs: 0, bytes: 0 });
  schedule.changed('a', changedAt * second);
  expect(schedule.isDue('a', { nowMs: nowAt * second, bytes })).toBe(isDue);
});

test('what was never counted in this term is due, and so is a workspace that was made again', () => {
  const schedule = createSchedule();
  expect(schedule.isDue('a', { nowMs: 0, bytes: 0 })).toBe(true);
  schedule.published('a', { nowMs: 0, bytes: 0 });
  expect(schedule.isDue('a', { nowMs: 0, bytes: 0 })).toBe(false);
  schedule.keepOnly(new Set(['b']));
  expect(schedule.isDue('a', { nowMs: 0, bytes: 0 })).toBe(true);
});
