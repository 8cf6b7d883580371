/** The smallest first. */
export interface MinHeap<T> {
  size(): number;
  peek(): T | undefined;
  push(item: T): void;
  pop(): T | undefined;
}

/** A binary heap in an array: `push` and `pop` take time that grows with the logarithm of its size. */
export function createMinHeap<T>(rankOf: (item: T) => number): MinHeap<T> {
  const items: T[] = [];

  /** Puts `item` into the hole at `index`, or into one above it. */
  function rise(item: T, index: number): void {
    let hole = index;
    while (hole > 0) {
      const parentAt = (hole - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || rankOf(parent) <= rankOf(item)) break;
      items[hole] = parent;
      hole = parentAt;
    }
    items[hole] = item;
  }

  /** Puts `item` into the hole at the top, or into one further down. */
  function sink(item: T): void {
    let hole = 0;
    for (;;) {
      const leftAt = 2 * hole + 1;
      const [left, right] = [items[leftAt], items[leftAt + 1]];
      const isRight = left !== undefined && right !== undefined && rankOf(right) < rankOf(left);
      const child = isRight ? right : left;
      if (child === undefined || rankOf(child) >= rankOf(item)) break;
      items[hole] = child;
      hole = isRight ? leftAt + 1 : leftAt;
    }
    items[hole] = item;
  }

  return {
    size: () => items.length,
    peek: () => items[0],
    push: (item) => rise(item, items.length),
    pop() {
      const [first] = items;
      const last = items.pop();
      if (last !== undefined && items.length > 0) sink(last);
      return first;
    },
  };
}
