import { inParallel } from './inParallel.ts';

/** Work that ends when the test says so. */
function createWork() {
  const begun: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    work(item: string): Promise<void> {
      begun.push(item);
      const own = Promise.withResolvers<void>();
      waiting.set(item, own);
      return own.promise;
    },
    end: (item: string) => waiting.get(item)?.resolve(),
    fail: (item: string) => waiting.get(item)?.reject(new Error(`${item} failed`)),
  };
}

/** What follows from settled promises has happened by then. */
const settled = () => new Promise(setImmediate);

describe('work on many items', () => {
  it('begins the next item when another one ends, and no more than the limit before', async () => {
    const { begun, work, end } = createWork();
    const all = inParallel(['a', 'b', 'c', 'd'], 2, work);
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const item of ['a', 'c']) end(item);
    await settled();
    end('d');
    await all;
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('ends when the last item has ended', async () => {
    const { work, end } = createWork();
    let hasEnded = false;
    const all = inParallel(['a', 'b'], 4, work).then(() => {
      hasEnded = true;
    });
    end('b');
    await settled();
    expect(hasEnded).toBe(false);
    end('a');
    await all;
  });

  it('rejects with the first failure, and begins no other item', async () => {
    const { begun, work, end, fail } = createWork();
    const all = inParallel(new Set(['a', 'b', 'c']), 2, work);
    fail('a');
    await expect(all).rejects.toThrow('a failed');
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  it('has nothing to do without items', async () => {
    const { begun, work } = createWork();
    await inParallel([], 2, work);
    expect(begun).toEqual([]);
  });
});
