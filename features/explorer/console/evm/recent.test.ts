import { type Block, blockOf } from './model.ts';
import { isContinued, keptCount, missingBlocks, withBlocks } from './recent.ts';
import { callsOf, failedCall } from './trace.ts';

/** A block of a branch, which follows one of the same branch from `fork` on. */
function block(number: number, branch = 'a', fork = 0): Block {
  const name = (one: number) => `${one < fork ? 'a' : branch}${one}`;
  const found = blockOf({
    number: `0x${number.toString(16)}`,
    hash: name(number),
    parentHash: name(number - 1),
    timestamp: '0x1',
    transactions: [],
    gasUsed: '0x0',
    gasLimit: '0x1',
  });
  if (!found) throw new Error('it is a block');
  return found;
}
const range = (from: number, to: number, ...rest: [string?, number?]) =>
  Array.from({ length: to - from + 1 }, (_, index) => block(from + index, ...rest));
const upTo = (head: bigint) => ({ head, count: 15, first: 0n });
const hashesOf = (blocks: readonly Block[]) => blocks.map(({ hash }) => hash);

it('asks for the newest blocks, and later only for those that came', () => {
  expect(missingBlocks([], upTo(2n))).toEqual([2n, 1n, 0n]);
  expect(missingBlocks([], upTo(100n))).toHaveLength(15);
  expect(missingBlocks(range(80, 100), upTo(103n))).toEqual([103n, 102n, 101n]);
});

it('asks for no block before the first that counts', () => {
  expect(missingBlocks([], { ...upTo(12n), first: 10n })).toEqual([12n, 11n, 10n]);
});

it('keeps the newest blocks in order', () => {
  const shown = withBlocks(range(20, 100), range(101, 103), 103n);
  expect(hashesOf(shown)).toEqual(hashesOf(range(104 - keptCount, 103)).reverse());
});

it('leaves out what a reorganisation replaced, and asks for it again', () => {
  const shown = withBlocks(range(1, 10), [block(11, 'b', 9)], 11n);
  expect(hashesOf(shown)).toEqual(['b11']);
  const missing = missingBlocks(shown, upTo(11n));
  expect(missing).toContain(9n);
  expect(hashesOf(withBlocks(shown, range(0, 11, 'b', 9), 11n))).toEqual(
    hashesOf(range(0, 11, 'b', 9)).reverse(),
  );
});

it('goes back with a chain that goes back', () => {
  expect(hashesOf(withBlocks(range(1, 10), [block(5, 'b', 5)], 5n)).slice(0, 2)).toEqual(['b5', 'a4']);
});

it('is continued where a block is in both, and not after a jump or on another branch', () => {
  expect(isContinued(range(1, 10), range(10, 24))).toBe(true);
  expect(isContinued(range(1, 10), range(11, 25))).toBe(false);
  expect(isContinued(range(1, 10), range(1, 5, 'b', 0))).toBe(false);
  expect(isContinued([], range(1, 10))).toBe(false);
});

describe('a trace', () => {
  const trace = {
    type: 'CALL',
    from: '0x1',
    to: '0x2',
    gasUsed: '0x10',
    input: '0x',
    error: 'execution reverted',
    calls: [
      { type: 'STATICCALL', from: '0x2', to: '0x3', gasUsed: '0x1', input: '0x' },
      {
        type: 'CALL',
        from: '0x2',
        to: '0x4',
        value: '0x5',
        gasUsed: '0x2',
        input: '0x',
        error: 'out of gas',
        calls: [{ type: 'CREATE', from: '0x4', gasUsed: '0x1', input: '0x60' }],
      },
    ],
  };

  it('is a list of calls with their places', () => {
    expect(callsOf(trace).map(({ path, depth, type, value }) => [path, depth, type, value])).toEqual([
      ['0', 0, 'CALL', 0n],
      ['0.0', 1, 'STATICCALL', 0n],
      ['0.1', 1, 'CALL', 5n],
      ['0.1.0', 2, 'CREATE', 0n],
    ]);
  });

  it('has the call that the failure comes from', () => {
    expect(failedCall(callsOf(trace))?.path).toBe('0.1');
    expect(failedCall(callsOf({ type: 'CALL', calls: [{ type: 'CALL', error: 'caught' }] }))).toBeUndefined();
  });

  it('is cut where it is very long', () => {
    expect(callsOf({ type: 'CALL', calls: Array(5_000).fill({ type: 'CALL' }) })).toHaveLength(2_000);
  });
});
