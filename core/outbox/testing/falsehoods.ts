import type { Result } from '../results.ts';

/** One transfer of 1 wei to an account of its own, so that its balance is the number of times it was mined. */
export interface Item {
  to: string;
  /** Of its last attempt; empty when it was refused. */
  hash: string;
  /** The chain that it was accepted for. */
  chain: string;
  /** Whether somebody was told that it is accepted. */
  isPromised: boolean;
  /** Whether it was acknowledged and then undone. */
  isUndone: boolean;
  /** Whether decision 109 names what happened to it as a sequence in which it may be mined again. */
  mayReturn: boolean;
  /** Whether an engine that was killed had not saved it. */
  mayBeLost: boolean;
}

/** How it ended. */
interface Seen {
  verdict: Result | undefined;
  isMined: boolean;
  /** How often it was mined on the present chain. */
  times: bigint;
  isOfPresentChain: boolean;
}

const rules: Record<string, (item: Item, seen: Seen) => boolean> = {
  'was mined twice': (_item, { times }) => times > 1n,
  'was mined on another chain': (_item, { times, isOfPresentChain }) => times > 0n && !isOfPresentChain,
  'was mined although it was refused': ({ hash }, { times }) => times > 0n && hash === '',
  'is open for ever': ({ hash }, { verdict }) => hash !== '' && !verdict,
  'is called mined and is not on the chain': (item, { verdict, isMined, isOfPresentChain }) =>
    verdict?.state === 'mined' && !isMined && isOfPresentChain && !item.mayBeLost && !item.isUndone,
  'is called dropped and is on the chain': (item, { verdict, isMined }) =>
    verdict?.state === 'dropped' && isMined && !item.mayReturn,
  'was undone and is on the chain': (item, { times }) => item.isUndone && !item.mayReturn && times > 0n,
  'was accepted and is not on the chain': (item, { times, isOfPresentChain }) =>
    item.isPromised && !item.isUndone && !item.mayBeLost && isOfPresentChain && times === 0n,
};

/** What was said of an item or done with it, and is not right. */
export function falsehoodsOf(item: Item | undefined, seen: Seen): string[] {
  if (!item) return [];
  const broken = Object.entries(rules).filter(([, isBroken]) => isBroken(item, seen));
  return broken.map(([rule]) => `${item.hash || item.to} ${rule} (${JSON.stringify(seen.verdict)})`);
}
