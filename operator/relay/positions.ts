import type { PositionStore, RelayPosition } from '../../core/crosschain/relay/protocol.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';

/** How many blocks a restarted operator may read again: reading twice delivers nothing twice. */
const blocksAgain = 200;
/** A position that was forgotten is read from the store again, which is never ahead of it. */
const maxRemembered = 2000;

/**
 * Positions in memory, stored whenever messages are or were pending, otherwise now and then: most blocks have none.
 * The position in memory is ahead of the stored one only where no message is pending.
 */
export function cachePositions(store: PositionStore): PositionStore {
  const current = createBoundedMap<string, RelayPosition>(maxRemembered);
  const written = createBoundedMap<string, RelayPosition>(maxRemembered);
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
