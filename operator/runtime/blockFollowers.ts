import type { SharedHeads } from '../../core/networks/heads/sharedHeads.ts';

/** Keys of a controller that are worked on when there is a new block. */
export interface BlockFollowers {
  /** Adds the key again with each block of the network from now on. Whether its node tells them all. */
  follow(key: string, networkUid: string): boolean;
  /** Blocks mean nothing to the key any more. */
  leave(key: string): void;
  stop(): void;
}

/** How soon after a block a key is added: blocks of the meantime are read together. */
const gatherMs = 250;

/**
 * Without `heads`, no node tells anything. A node that loses a subscription is asked at once and then in intervals, until
 * it tells again: what it did in the meantime is read then, because each look at a chain begins where the last one ended.
 */
export function createBlockFollowers(
  heads: Pick<SharedHeads, 'follow' | 'isTold'> | undefined,
  addAfter: (key: string, delayMs: number) => void,
): BlockFollowers {
  const followed = new Map<string, { networkUid: string; end(): void }>();
  function leave(key: string): void {
    followed.get(key)?.end();
    followed.delete(key);
  }
  return {
    leave,
    follow(key, networkUid) {
      if (!heads) return false;
      if (followed.get(key)?.networkUid !== networkUid) {
        leave(key);
        const end = heads.follow(networkUid, () => addAfter(key, gatherMs));
        followed.set(key, { networkUid, end });
      }
      return heads.isTold(networkUid);
    },
    stop() {
      for (const key of [...followed.keys()]) leave(key);
    },
  };
}
