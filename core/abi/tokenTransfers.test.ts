import { Interface } from 'ethers';
import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { transfersIn } from './tokenTransfers.ts';

const token = `0x${'ab'.repeat(20)}`;
const [ann, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`];
const abi = new Interface([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]);
const logOf = (name: string, values: unknown[]) => ({
  address: token,
  logIndex: 3,
  ...abi.encodeEventLog(name, values),
});
const batchOf = (data: string) => ({ ...logOf('TransferBatch', [ann, ann, bob, [], []]), data });
const word = (value: number) => value.toString(16).padStart(64, '0');

const common = { token, logIndex: 3, from: ann, to: bob };

it.each([
  ['ERC-20', logOf('Transfer', [ann, bob, 7]), [{ ...common, standard: 'ERC-20', amount: '7' }]],
  [
    'one kind of ERC-1155',
    logOf('TransferSingle', [ann, ann, bob, 5, 7]),
    [{ ...common, standard: 'ERC-1155', tokenId: '5', amount: '7' }],
  ],
  [
    'several kinds of ERC-1155',
    logOf('TransferBatch', [ann, ann, bob, [5, 6], [7, 2n ** 256n - 1n]]),
    [
      { ...common, standard: 'ERC-1155', tokenId: '5', amount: '7' },
      { ...common, standard: 'ERC-1155', tokenId: '6', amount: String(2n ** 256n - 1n) },
    ],
  ],
  ['no kind of ERC-1155', logOf('TransferBatch', [ann, ann, bob, [], []]), []],
])('reads a transfer of %s', (_what, log, transfers) => {
  expect(transfersIn(log)).toEqual(transfers);
});

it.each([
  ['two numbers of entries', logOf('TransferBatch', [ann, ann, bob, [1], [1, 2]])],
  ['an array that is longer than the data', batchOf(`0x${word(64)}${word(64)}${word(1000)}`)],
  ['an array longer than any memory', batchOf(`0x${word(64)}${word(64)}${'f'.repeat(64)}`)],
  ['offsets beyond the data', batchOf(`0x${'f'.repeat(128)}`)],
  ['no data', batchOf('0x')],
])('a batch with %s is not a transfer', (_what, log) => {
  expect(transfersIn(log)).toEqual([]);
});

it('takes time in proportion to a batch, whose two arrays may be one', () => {
  const growth = growthOf((length) => {
    const count = Math.floor(length / 64);
    const log = batchOf(`0x${word(64)}${word(64)}${word(count)}${word(1).repeat(count)}`);
    return () => expect(transfersIn(log)).toHaveLength(count);
  });
  expect(growth).toBeLessThan(tooMuchGrowth);
});
