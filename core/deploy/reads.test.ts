import { Interface } from 'ethers';
import { readsAtLeast } from './reads.ts';

const call = {
  to: `0x${'1'.repeat(40)}`,
  abi: new Interface(['function totalSupply() view returns (uint256)']),
  name: 'totalSupply',
};
const answer = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

it.each([
  ['more than it', 5n, answer(6n), true],
  ['it', 5n, answer(5n), true],
  ['less', 5n, answer(4n), false],
  ['0, if that is the least', 0n, answer(0n), true],
  ['nothing, because the call reverted', 0n, undefined, false],
  ['nothing, because there is no contract', 0n, '0x', false],
])('a function that returns %s', (_answer, least, result, isMet) => {
  expect(readsAtLeast(call, least).isMet(result)).toBe(isMet);
});
