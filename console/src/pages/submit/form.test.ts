import { SlipwayError } from '../../../../sdk/src/error.ts';
import { errorsAt } from '../../forms/fieldErrors.ts';
import { fromSmallestUnits } from '../../lib/units.ts';
import { emptyItem, places, toBody, weiOf } from './form.ts';

test.each([
  ['1.5', 'ether', '1500000000000000000'],
  ['0.000000000000000001', 'ether', '1'],
  ['2', 'gwei', '2000000000'],
  ['', 'ether', '0'],
  ['123456789012345678901234567890', 'wei', '123456789012345678901234567890'],
  ['0.5', 'wei', undefined],
  ['1,5', 'ether', undefined],
  ['-1', 'ether', undefined],
] as const)('%j %s is %j wei', (value, unit, wei) => {
  expect(weiOf({ value, unit })).toBe(wei);
});

test.each([
  ['1500000000000000000', 18, '1.5'],
  ['1', 18, '0.000000000000000001'],
  ['1000000', 0, '1000000'],
  ['0', 6, '0'],
  ['123456789012345678901234567890', 18, '123456789012.34567890123456789'],
])('%s with %d decimals is shown exactly', (units, decimals, amount) => {
  expect(fromSmallestUnits(units, decimals)).toBe(amount);
});

test('each network gets all transactions, without what is empty', () => {
  const items = [
    { ...emptyItem(0), to: ' 0xb ', value: '1', gasLimit: '21000', maxFee: '1.5' },
    { ...emptyItem(1), data: '0x60' },
  ];
  const expected = [
    { to: '0xb', value: '1000000000000000000', gas_limit: 21_000, max_fee_per_gas: '1500000000' },
    { value: '0', data: '0x60' },
  ];
  expect(toBody(items, [{ id: 'n' }, { id: 'm' }])).toEqual({
    transactions_by_network: { n: expected, m: expected },
  });
});

test('a gas limit that is not a number is sent as it was typed, not left out', () => {
  const [item] =
    toBody([{ ...emptyItem(0), gasLimit: '21,000' }], [{ id: 'n' }]).transactions_by_network.n ?? [];
  expect(JSON.parse(JSON.stringify(item))).toEqual({ value: '0', gas_limit: '21,000' });
});

test('an error that several networks have is once at the field of its transaction', () => {
  const message = 'use an address';
  const details = ['n', 'm'].map((id) => ({ path: `transactions_by_network.${id}[1].to`, message }));
  const error = new SlipwayError('wrong', { status: 400, reason: 'BadRequest', details });
  expect(errorsAt(error, places)).toEqual({ at: { '1.to': message }, rest: [], error: undefined });
});
