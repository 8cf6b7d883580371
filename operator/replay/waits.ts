import type { AddressBook, Creation } from './addressBook.ts';

/** Lets the networks of a replay wait for contracts that are created on each other. */
export interface Waits {
  /** The transactions of the network before `index` are sent. */
  moveTo(network: number, index: number): void;
  /**
   * Resolves when the outcome of a creation is known, or at once if it never would be: networks that wait for each
   * other in a circle could not continue.
   */
  until(network: number, creation: Creation): Promise<void>;
}

export function createWaits(book: Pick<AddressBook, 'whenSettled'>): Waits {
  const sent = new Map<number, number>();
  const waiting = new Map<number, Creation>();

  /** What is sent will be settled, whoever waits for what. */
  const isSent = ({ network, index }: Creation) => index < (sent.get(network) ?? 0);

  function isCircle(start: number, creation: Creation): boolean {
    const passed = new Set([start]);
    let next: Creation | undefined = creation;
    while (next && !next.isSettled && !isSent(next)) {
      if (passed.has(next.network)) return true;
      passed.add(next.network);
      next = waiting.get(next.network);
    }
    return false;
  }

  return {
    moveTo: (network, index) => void sent.set(network, index),
    async until(network, creation) {
      if (creation.isSettled || isCircle(network, creation)) return;
      waiting.set(network, creation);
      await book.whenSettled(creation);
      waiting.delete(network);
    },
  };
}
