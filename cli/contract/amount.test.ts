import { unitsOf, weiOf } from './amount.ts';

it.each([
  ['1000', '1000'],
  ['2gwei', '2000000000'],
  ['0.5ether', '500000000000000000'],
  ['1.000000001gwei', '1000000001'],
  ['0xff', '255'],
])('%s is %s wei', (text, wei) => {
  expect(weiOf(text, '--value')).toBe(wei);
});

it.each(['', '0.5', '1eth', '-1', '1.5gwei ', '0.0000000001gwei'])('"%s" is not an amount', (text) => {
  expect(() => weiOf(text, '--value')).toThrow('is not an amount');
});

it('of a token, only its smallest units are an amount', () => {
  expect(unitsOf('1000', '--amount')).toBe('1000');
  expect(() => unitsOf('1ether', '--amount')).toThrow('--amount 1ether is not an amount of a token');
});
