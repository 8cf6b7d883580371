import { Interface } from 'ethers';
import { logOf } from '../model.ts';
import { eventKindsOf, newestFirst } from './events.ts';

const abi = [
  ...JSON.parse(
    new Interface([
      'event Minted(address indexed to, uint256 amount)',
      'event Burned(address indexed from)',
      'function mint()',
    ]).formatJson(),
  ),
  { type: 'event', name: 'Hidden', anonymous: true, inputs: [] },
];

test('the events of an ABI are in the order of their signatures, with the topics of their logs', () => {
  expect(eventKindsOf(abi)).toEqual([
    { signature: 'Burned(address)', topic: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    { signature: 'Minted(address,uint256)', topic: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  ]);
  expect(eventKindsOf(undefined)).toEqual([]);
});

test('the newest events are first, also within a block', () => {
  const logs = [
    ['0x1', '0x5'],
    ['0x10', '0x0'],
    ['0x10', '0x3'],
  ].map(([blockNumber, logIndex]) => logOf({ blockNumber, logIndex }));
  expect(logs.sort(newestFirst).map(({ block, index }) => [block, index])).toEqual([
    [16n, 3n],
    [16n, 0n],
    [1n, 5n],
  ]);
});
