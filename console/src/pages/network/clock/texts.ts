import { maxBlocks } from './clock.ts';

/** English. */
export const texts = {
  title: 'Blocks and clock',
  hint: 'For tests: the clock of the chain only goes forward.',
  blocks: 'Blocks to mine',
  blocksWrong: `Enter a number from 1 to ${maxBlocks}.`,
  mine: 'Mine',
  time: 'Move the clock by',
  timeHint: 'Such as 30m or 24h.',
  timeWrong: 'Enter a time such as 30m or 24h, ten years at most.',
  move: 'Move',
  newest: (number: number, at: string) => `The newest block is ${number}, of ${at}.`,
  noAdmin: 'This network runs real clients, or you may not change its chain by hand.',
};
