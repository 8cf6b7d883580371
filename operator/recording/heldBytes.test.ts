import { createHeldBytes, type HeldLimits } from './heldBytes.ts';

/** Work of a size that ends when the test says so, and what is running. */
function createWorld(limits: HeldLimits) {
  const hold = createHeldBytes(limits);
  const ends = new Map<string, () => void>();
  const begin = (name: string, bytes: number, holder = 'ann') =>
    hold({ holder, bytes }, () => new Promise<void>((end) => void ends.set(name, end))).then(() =>
      ends.delete(name),
    );
  return { begin, ends, running: () => [...ends.keys()] };
}

test('much small work runs at a time, and large work alone', async () => {
  const { begin, ends, running } = createWorld({ all: 100, ofHolder: 100 });
  const work = [begin('a', 30), begin('b', 30), begin('c', 30), begin('large', 90), begin('d', 10)];
  await Promise.resolve();
  expect(running()).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) ends.get(name)?.();
  await Promise.all(work.slice(0, 3));
  expect(running()).toEqual(['large', 'd']);
  for (const name of ['large', 'd']) ends.get(name)?.();
  await Promise.all(work);
});

test('one holder leaves room for others, and who holds least has the next turn', async () => {
  const { begin, ends, running } = createWorld({ all: 40, ofHolder: 20 });
  const own = ['a', 'b', 'c', 'd'].map((name) => begin(name, 10));
  const others = [begin('x', 10, 'ben'), begin('y', 10, 'cat'), begin('z', 10, 'ben')];
  await Promise.resolve();
  expect(running()).toEqual(['a', 'b', 'x', 'y']);
  ends.get('y')?.();
  await others[1];
  expect(running()).toEqual(['a', 'b', 'x', 'z']);
  for (const [name, work] of [
    ['a', own[0]],
    ['b', own[1]],
  ] as const) {
    ends.get(name)?.();
    await work;
  }
  expect(running()).toEqual(['x', 'z', 'c', 'd']);
  for (const name of running()) ends.get(name)?.();
  await Promise.all([...own, ...others]);
});

test('work that holds more than everything runs alone, and gives its bytes back when it fails', async () => {
  const hold = createHeldBytes({ all: 10, ofHolder: 10 });
  const holder = 'ann';
  await expect(hold({ holder, bytes: 50 }, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await hold({ holder, bytes: 10 }, async () => 'done')).toBe('done');
});
