import { Interface } from 'ethers';
import { logOf as readLog } from '../model.ts';
import { transfersOf, transfersOfIndex } from './transfers.ts';

const [from, to] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
const operator = `0x${'33'.repeat(20)}`;
const token = `0x${'44'.repeat(20)}`;

const logOf = (event: string, ...values: unknown[]) => {
  const made = new Interface([`event ${event}`]);
  const [name = ''] = event.split('(');
  return {
    ...made.encodeEventLog(name, values),
    address: token,
    transactionHash: '0xaa',
    blockNumber: '0x10',
    logIndex: '0x2',
  };
};

test.each([
  [
    'ERC-20',
    logOf('Transfer(address indexed from, address indexed to, uint256 value)', from, to, 5n),
    [{ amount: 5n, standard: 'ERC-20' }],
  ],
  [
    'ERC-721',
    logOf('Transfer(address indexed from, address indexed to, uint256 indexed id)', from, to, 9n),
    [{ amount: 1n, tokenId: 9n, standard: 'ERC-721' }],
  ],
  [
    'ERC-1155',
    logOf(
      'TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value)',
      ...[operator, from, to, 3n, 4n],
    ),
    [{ amount: 4n, tokenId: 3n, standard: 'ERC-1155' }],
  ],
  [
    'an ERC-1155 batch',
    logOf(
      'TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
      ...[operator, from, to, [1n, 2n], [10n, 20n]],
    ),
    [
      { amount: 10n, tokenId: 1n },
      { amount: 20n, tokenId: 2n },
    ],
  ],
])('the transfers in a log of %s', (_kind, log, moves) => {
  const found = transfersOf(readLog(log));
  expect(found).toMatchObject(moves.map((move) => ({ token, from, to, hash: '0xaa', block: 16n, ...move })));
  expect(new Set(found.map(({ key }) => key)).size).toBe(moves.length);
});

test('logs that only look like transfers have none', () => {
  const other = logOf('Transfer(address indexed from, address indexed to, uint256 value)', from, to, 5n);
  expect(transfersOf(readLog({ ...other, data: '0x' }))).toEqual([]);
  expect(transfersOf(readLog({ ...other, topics: other.topics.slice(0, 2) }))).toEqual([]);
  expect(transfersOf(readLog(null))).toEqual([]);
});

test('a transfer keeps its key when others come before it', () => {
  const transfer = { hash: '0xaa', time: '', token, standard: 'ERC-1155', from, to, amount: '1' };
  const batch = ['1', '2'].map((tokenId) => ({ ...transfer, block: '7', logIndex: 2, tokenId }));
  const others = [{ ...transfer, block: '8', logIndex: 2, tokenId: '3' }];
  const keys = transfersOfIndex(batch).map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
  expect(transfersOfIndex([...others, ...batch]).map(({ key }) => key)).toEqual([
    expect.any(String),
    ...keys,
  ]);
});
