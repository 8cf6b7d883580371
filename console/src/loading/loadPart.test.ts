import { loadPart } from './loadPart.ts';

function clockWithoutWaits() {
  const pauses: number[] = [];
  const after = (ms: number, done: () => void) => {
    pauses.push(ms);
    queueMicrotask(done);
    return () => {};
  };
  return { pauses, after };
}

const failing = (times: number) => {
  let loads = 0;
  return async () => {
    loads += 1;
    if (loads <= times) throw new Error(`load ${loads} failed`);
    return `load ${loads}`;
  };
};

it('a part whose file does not arrive is asked for again, after longer and longer pauses', async () => {
  const clock = clockWithoutWaits();
  expect(await loadPart(failing(3), clock)).toBe('load 4');
  expect(clock.pauses).toEqual([200, 1_000, 3_000]);
});

it('a part that never arrives fails with the last error', async () => {
  await expect(loadPart(failing(4), clockWithoutWaits())).rejects.toThrow('load 4 failed');
});

it('a part that arrives is loaded once', async () => {
  const clock = clockWithoutWaits();
  expect(await loadPart(failing(0), clock)).toBe('load 1');
  expect(clock.pauses).toEqual([]);
});
