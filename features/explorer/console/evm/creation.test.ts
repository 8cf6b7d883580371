import { Interface } from 'ethers';
import { oneLine } from './abi.ts';
import { decodeCreation } from './creation.ts';

const code = `0x6080604052${'5b'.repeat(300)}64736f6c634300081c0033`;
const treasury = `0x${'ab'.repeat(20)}`;

test.each([
  ['numbers', ['uint8 decimals', 'uint256 cap'], [6, 1_000_000n], ['6', '1000000']],
  ['texts', ['string name', 'address owner'], ['Gold', treasury], ['Gold', treasury]],
  ['lists', ['uint256[] parts', 'bytes data'], [[1n, 2n], '0x1234'], ['[1, 2]', '0x1234']],
])('the arguments of a constructor stand after its code: %s', (_, types, values, shown) => {
  const abi = [...JSON.parse(new Interface([`constructor(${types.join(', ')})`]).formatJson())];
  const input = code + new Interface(abi).encodeDeploy(values).slice(2);
  const texts = decodeCreation(input, abi)
    ?.values.map(oneLine)
    .map((text) => text.toLowerCase());
  expect(texts).toEqual(shown.map((text) => text.toLowerCase()));
});

test('a constructor without arguments, and code whose ABI is not known, have none', () => {
  expect([decodeCreation(code, []), decodeCreation(code, undefined)]).toEqual([undefined, undefined]);
  const abi = [...JSON.parse(new Interface(['constructor(string name)']).formatJson())];
  expect(decodeCreation(code, abi)).toBeUndefined();
});
