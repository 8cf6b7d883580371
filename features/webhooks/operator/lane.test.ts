import { createLane, type Lane, type Pending } from './lane.ts';

const pending = (key: string, index: number, dueMs = 0): Pending => ({
  batch: 'b',
  index,
  key,
  queuedMs: 0,
  dueMs,
  status: { index, state: 'pending', attempts: 0, log: [] },
});
const takeAll = (lane: Lane, nowMs: number) => {
  const taken: Pending[] = [];
  for (let next = lane.take(nowMs); next; next = lane.take(nowMs)) taken.push(next);
  return taken;
};

it('hands out the first delivery of each object; the next one follows when it is settled', () => {
  const lane = createLane();
  for (const one of [pending('a', 0), pending('a', 1), pending('b', 2)]) lane.add(one);
  const first = takeAll(lane, 0);
  expect(first.map(({ index }) => index)).toEqual([0, 2]);
  if (first[0]) lane.settle(first[0]);
  expect(takeAll(lane, 0).map(({ index }) => index)).toEqual([1]);
  expect(lane.size()).toBe(2);
});

it('a delivery that is tried again keeps later ones of its object back, until its time', () => {
  const lane = createLane();
  for (const one of [pending('a', 0), pending('a', 1)]) lane.add(one);
  const [first] = takeAll(lane, 0);
  if (!first) throw new Error('nothing is due');
  first.dueMs = 100;
  lane.retry(first);
  expect([takeAll(lane, 99), lane.nextDueMs()]).toEqual([[], 100]);
  expect(takeAll(lane, 100)).toEqual([first]);
});

it('hurrying makes everything that waits due', () => {
  const lane = createLane();
  lane.add(pending('a', 0, 1_000));
  expect(lane.hasDue(10)).toBe(false);
  lane.hurry(10);
  expect(lane.hasDue(10)).toBe(true);
});

it('a dropped batch is gone, except for what is under way', () => {
  const lane = createLane();
  for (const one of [pending('a', 0), pending('a', 1), pending('b', 2)]) lane.add(one);
  const under = lane.take(0);
  lane.drop('b');
  expect([lane.size(), takeAll(lane, 0)]).toEqual([1, []]);
  if (under) lane.settle(under);
  expect(lane.size()).toBe(0);
});
