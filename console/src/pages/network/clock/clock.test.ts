import { blocksIn, mine, moveForward, secondsIn } from './clock.ts';

test.each([
  ['1', 1],
  [' 1000 ', 1_000],
  ['', undefined],
  ['0', undefined],
  ['1001', undefined],
  ['1.5', undefined],
  ['many', undefined],
])('blocks to mine: %j', (text, blocks) => {
  expect(blocksIn(text)).toBe(blocks);
});

test.each([
  ['30m', 1_800],
  [' 1h30m ', 5_400],
  ['24h', 86_400],
  ['', undefined],
  ['0s', undefined],
  ['500ms', undefined],
  ['soon', undefined],
  ['100000h', undefined],
])('a time to move the clock by: %j', (text, seconds) => {
  expect(secondsIn(text)).toBe(seconds);
});

/** A node that answers with a block, and what it was asked. */
function node() {
  const asked: unknown[] = [];
  const call = async (method: string, params: unknown[]) => {
    asked.push([method, ...params]);
    return method === 'eth_getBlockByNumber' ? { number: '0x10', timestamp: '0x70000000' } : '0x0';
  };
  return { asked, call };
}

const newest = { number: 16, at: '2029-07-18T05:49:52.000Z' };
const read = ['eth_getBlockByNumber', 'latest', false];

test('blocks are mined in one call', async () => {
  const { asked, call } = node();
  expect(await mine(call, 12)).toEqual(newest);
  expect(asked).toEqual([['anvil_mine', '0xc'], read]);
});

test('the clock is moved before the block that shows it', async () => {
  const { asked, call } = node();
  expect(await moveForward(call, 3_600)).toEqual(newest);
  expect(asked).toEqual([['evm_increaseTime', 3_600], ['evm_mine'], read]);
});
