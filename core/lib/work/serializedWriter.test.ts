import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSerializedWriter } from './serializedWriter.ts';

function createHeldWrites(groupSize?: (waiting: readonly string[]) => number) {
  const groups: { key: string; items: readonly string[]; done(): void; fail(error: Error): void }[] = [];
  const writer = createSerializedWriter<string, string>({
    write: (key, items) =>
      new Promise((resolve, reject) => {
        groups.push({ key, items, done: () => resolve(items.map((item) => `${item}!`)), fail: reject });
      }),
    ...(groupSize ? { groupSize } : {}),
  });
  return { groups, writer };
}

describe('a serialized writer', () => {
  it('writes one group at a time, and what comes in the meantime as the next', async () => {
    const { groups, writer } = createHeldWrites();
    const results = ['a', 'b', 'c'].map((item) => writer.write('k', item));
    expect(groups.map(({ items }) => items)).toEqual([['a']]);
    groups[0]?.done();
    await nextTurn();
    groups[1]?.done();
    await expect(Promise.all(results)).resolves.toEqual(['a!', 'b!', 'c!']);
    expect(groups.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
  });

  it('writes different keys side by side', () => {
    const { groups, writer } = createHeldWrites();
    void writer.write('one', 'a');
    void writer.write('two', 'b');
    expect(groups.map(({ key }) => key)).toEqual(['one', 'two']);
  });

  it('takes as many as fit into one write, and at least one', async () => {
    const { groups, writer } = createHeldWrites(() => 0);
    const first = writer.write('k', 'a');
    void writer.write('k', 'b');
    void writer.write('k', 'c');
    groups[0]?.done();
    await first;
    await nextTurn();
    expect(groups[1]?.items).toEqual(['b']);
  });

  it('rejects the items of a write that fails, and continues with the next', async () => {
    const { groups, writer } = createHeldWrites();
    const first = writer.write('k', 'a');
    const second = writer.write('k', 'b');
    groups[0]?.fail(new Error('refused'));
    await expect(first).rejects.toThrow('refused');
    await nextTurn();
    groups[1]?.done();
    await expect(second).resolves.toBe('b!');
  });

  it('is busy until the last group of a key is written', async () => {
    const { groups, writer } = createHeldWrites();
    const written = writer.write('k', 'a');
    expect(writer.isBusy('k')).toBe(true);
    groups[0]?.done();
    await written;
    await nextTurn();
    expect(writer.isBusy('k')).toBe(false);
  });
});
