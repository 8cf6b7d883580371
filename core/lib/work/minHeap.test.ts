import fc from 'fast-check';
import { createMinHeap } from './minHeap.ts';

it('hands out the smallest first, whatever is added and taken in between', () => {
  const step = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const heap = createMinHeap<number>((value) => value);
      let model: number[] = [];
      for (const value of steps) {
        if (value === undefined) {
          const [least, ...rest] = model.toSorted((a, b) => a - b);
          expect(heap.pop()).toBe(least);
          model = rest;
        } else {
          heap.push(value);
          model.push(value);
        }
        expect([heap.size(), heap.peek()]).toEqual([
          model.length,
          model.length === 0 ? undefined : Math.min(...model),
        ]);
      }
    }),
  );
});
