import { toBlock } from './blocks.ts';

const hash = `0x${'ab'.repeat(32)}`;

it.each(['0x3afff44177f', '0xffffffffffffffff'])(
  'a block in a time that nothing can write, %s, is read',
  (timestamp) => {
    const answer = { number: '0x5', hash, parentHash: hash, timestamp, transactions: [] };
    expect(toBlock(answer, '')).toMatchObject({ number: 5, timestamp: '9999-12-31T23:59:59Z' });
  },
);
