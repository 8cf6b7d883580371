import { createHeldBytes } from './heldBytes.ts';

/** Work of a size that ends when the test says so, and what is running. */
function createWorld(maxBytes: number) {
  const hold = createHeldBytes(maxBytes);
  const ends = new Map<string, () => void>();
  const begin = (name: string, bytes: number) =>
    hold(bytes, () => new Promise<void>((end) => void ends.set(name, end))).then(() => ends.delete(name));
  return { begin, ends, running: () => [...ends.keys()] };
}

test('much small work runs at a time, and large work alone', async () => {
  const { begin, ends, running } = createWorld(100);
  const work = [begin('a', 30), begin('b', 30), begin('c', 30), begin('large', 90), begin('d', 10)];
  await Promise.resolve();
  expect(running()).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) ends.get(name)?.();
  await Promise.all(work.slice(0, 3));
  expect(running()).toEqual(['large', 'd']);
  for (const name of ['large', 'd']) ends.get(name)?.();
  await Promise.all(work);
});

test('work that holds more than everything runs alone, and gives its bytes back when it fails', async () => {
  const hold = createHeldBytes(10);
  await expect(hold(50, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await hold(10, async () => 'done')).toBe('done');
});
