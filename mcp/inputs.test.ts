import { abiInput, abiOf, amountInput, argsInput, argTexts, weiOf } from './inputs.ts';

it('arguments may be text or JSON', () => {
  const args = argsInput.parse(['0x1', 99, true, [1, '2'], { x: 1 }]);
  expect(argTexts(args)).toEqual(['0x1', '99', 'true', '[1,"2"]', '{"x":1}']);
});

it.each([
  ['args.0', [2 ** 60]],
  ['args.1.0', ['x', [2 ** 60]]],
  ['args.0.all.1.amount', [{ all: [{ amount: 1 }, { amount: 2 ** 60 }] }]],
])('the number %s, whose digits are lost, is refused', (path, args) => {
  expect(() => argTexts(argsInput.parse(args))).toThrow(`${path} is not a whole number that JSON can hold`);
});

it('amounts have units', () => {
  const weiIn = (amount: unknown) => weiOf(amountInput.parse(amount), 'value');
  expect(['1ether', '5', 5].map(weiIn)).toEqual(['1000000000000000000', '5', '5']);
  expect(() => weiIn('1 ether')).toThrow('value "1 ether" is not an amount: write wei, or such as 2gwei');
});

it('an ABI may be the list or its text, as compilers write it', () => {
  const abi = [{ type: 'function', name: 'get', inputs: [], outputs: [] }];
  const forms = [abi, JSON.stringify(abi), JSON.stringify({ abi })];
  for (const form of forms) expect(abiOf(abiInput.parse(form))).toEqual(abi);
  expect(() => abiOf('Box.json')).toThrow('abi is not an ABI');
});
