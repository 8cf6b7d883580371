import { foundEvent, saysReturns } from './named.ts';

const input = { type: 'uint256', name: 'a', indexed: false };
const abi = [
  { type: 'event', name: 'Anon', anonymous: true, inputs: [input] },
  { type: 'event', name: 'Plain', anonymous: false, inputs: [input] },
];

test('an anonymous event is refused: no filter finds its logs', () => {
  expect(() => foundEvent('Anon', abi)).toThrow('Anon(uint256) is anonymous');
  expect(foundEvent('Plain', abi).name).toBe('Plain');
});

test.each([
  ['balanceOf(address)(uint256)', true],
  ['f((uint256 a)) (bool)', true],
  ['function f() view returns (bool)', true],
  ['f', false],
  ['f(int256)', false],
  ['f((uint256,bool),(bool)[])', false],
])('%s: says what it returns: %s', (text, expected) => {
  expect(saysReturns(text)).toBe(expected);
});
