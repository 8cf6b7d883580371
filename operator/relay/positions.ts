import type { PositionStore, RelayPosition } from '../../core/crosschain/relay/protocol.ts';

/** So many blocks may be read again by an operator that begins anew: nothing is brought twice by that. */
const blocksAgain = 200;

/**
 * Positions in memory, written down whenever messages wait or have waited, else now and then: most blocks bring none.
 * What was read is behind what is written down only where no message waits.
 */
export function cachePositions(store: PositionStore): PositionStore {
  const current = new Map<string, RelayPosition>();
  const written = new Map<string, RelayPosition>();
  return {
    async load(key) {
      const known = current.get(key);
      if (known) return known;
      const position = await store.load(key);
      if (position) written.set(key, position);
      return position;
    },
    async save(key, position) {
      const before = written.get(key);
      const isQuiet = position.waiting.length === 0 && before?.waiting.length === 0;
      const isNear = before !== undefined && position.block - before.block < blocksAgain;
      if (!(isQuiet && isNear)) {
        await store.save(key, position);
        written.set(key, position);
      }
      current.set(key, position);
    },
  };
}
