import type { SharedHeads } from '../../core/networks/heads/sharedHeads.ts';

/** Keys of a controller that are due with each new block. */
export interface BlockFollowers {
  /** Adds the key again with each block of the network from now on. Returns whether its node announces them all. */
  follow(key: string, networkUid: string): boolean;
  /** Stops following blocks for the key. */
  leave(key: string): void;
  stop(): void;
}

/** How long after a block a key is added: the blocks that follow within this time are read together. */
const gatherMs = 250;

/**
 * Without `heads`, no node announces anything. When a node loses a subscription, its keys are added at once and then at
 * intervals until it is subscribed again. No block is missed: each reconcile begins where the last one ended.
 */
export function createBlockFollowers(
  heads: Pick<SharedHeads, 'follow' | 'isSubscribed'> | undefined,
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
      return heads.isSubscribed(networkUid);
    },
    stop() {
      for (const key of [...followed.keys()]) leave(key);
    },
  };
}
