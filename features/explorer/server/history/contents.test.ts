import { type Contents, emptyAt, trimmed, upTo, withNewer, withOlder } from './contents.ts';
import { type IndexedBlock, type IndexedTransaction, wentBack } from './readBlocks.ts';

const transaction = (more: Partial<IndexedTransaction> = {}): IndexedTransaction => ({
  hash: '0xaa',
  from: '0x01',
  value: '0',
  fee: '0',
  isSuccess: true,
  transfers: [],
  ...more,
});
const block = (number: number, transactions = [transaction()]): IndexedBlock => ({
  number,
  hash: `h${number}`,
  parentHash: `h${number - 1}`,
  time: '2026-01-01T00:00:00Z',
  transactions,
});
const numbersOf = ({ blocks }: Contents) => blocks.map(({ number }) => number);
const covers = ({ before, newest }: Contents) => [before.number + 1, newest.number];

const some = withOlder(emptyAt({ number: 5, hash: 'h5' }), [block(3), block(4, []), block(5)]);

it('older and newer blocks are added, and those without transactions only counted', () => {
  expect([covers(some), numbersOf(some)]).toEqual([
    [3, 5],
    [3, 5],
  ]);
  const more = withNewer(withOlder(some, [block(2)]), [block(6), block(7, [])]);
  expect([covers(more), numbersOf(more)]).toEqual([
    [2, 7],
    [2, 3, 5, 6],
  ]);
});

it.each([
  ['newer blocks of another chain', () => withNewer(some, [{ ...block(6), parentHash: 'other' }])],
  ['newer blocks with a gap', () => withNewer(some, [block(6), block(8)])],
  ['older blocks of another chain', () => withOlder(some, [{ ...block(2), hash: 'other' }])],
])('%s are refused', (_what, add) => {
  expect(add).toThrow(wentBack);
});

it('it goes back to a block that has transactions', () => {
  const back = upTo(some, 1);
  expect(back && [covers(back), numbersOf(back)]).toEqual([[3, 3], [3]]);
  expect(upTo(some, 0)).toBeUndefined();
});

it('an index that goes back has room for older blocks again', () => {
  expect(upTo(trimmed(some, 1), 1)?.isFull).toBe(false);
});

it('beyond the limit the oldest blocks go, and it is full', () => {
  expect(trimmed(some, 2)).toBe(some);
  const less = trimmed(some, 1);
  expect([covers(less), numbersOf(less), less.size, less.isFull]).toEqual([[4, 5], [5], 1, true]);
  const none = trimmed(some, 0);
  expect([covers(none), numbersOf(none), none.size]).toEqual([[6, 5], [], 0]);
});

it('its size counts transactions, transfers, calls and accounts that were called', () => {
  const call = { type: 'CALL', from: '0x1', to: '0x2', value: '1' };
  const rich = transaction({ inner: { calls: [call, call], touched: ['0x2', '0x3'] } });
  expect(withNewer(some, [block(6, [rich, transaction()])]).size).toBe(some.size + 6);
});
