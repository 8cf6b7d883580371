import { blockOf } from '../model.ts';
import { heightsOf, seriesOf, summaryOf } from './series.ts';

function block(number: number, gasUsed: number, more: object = {}) {
  const found = blockOf({
    number: `0x${number.toString(16)}`,
    hash: `0x${number}`,
    parentHash: `0x${number - 1}`,
    timestamp: '0x1',
    transactions: Array.from({ length: gasUsed / 10 }, () => '0x1'),
    gasUsed: `0x${gasUsed.toString(16)}`,
    gasLimit: '0x64',
    baseFeePerGas: '0x3b9aca00',
    ...more,
  });
  if (!found) throw new Error('it is a block');
  return found;
}

it('gas, transactions and base fee are shown by block, the oldest first', () => {
  const [gas, transactions, baseFee] = seriesOf([block(3, 40), block(2, 10)]);
  expect(gas?.points.map(({ number, text }) => [number, text])).toEqual([
    [2n, '10 of 100 (10%)'],
    [3n, '40 of 100 (40%)'],
  ]);
  expect(transactions?.points.map(({ text }) => text)).toEqual(['1 transaction', '4 transactions']);
  expect(baseFee?.points.map(({ text }) => text)).toEqual(['1 gwei', '1 gwei']);
});

it('a chain without a base fee has no chart of it', () => {
  const labels = seriesOf([block(1, 0, { baseFeePerGas: undefined })]).map(({ label }) => label);
  expect(labels).toEqual(['Gas used', 'Transactions']);
});

it('the summary names the least, the most and the newest, in few digits', () => {
  const [gas, , baseFee] = seriesOf([
    block(3, 20),
    block(2, 40, { baseFeePerGas: '0x3ade68b1' }),
    block(1, 10),
  ]);
  expect(summaryOf(gas?.points ?? [])).toBe('least 10% · most 40% · newest 20%');
  expect(summaryOf(baseFee?.points ?? [])).toBe('least 0.988 · most 1 · newest 1');
});

it('the highest fills the chart, and what is more than nothing can be seen', () => {
  const [gas] = seriesOf([block(3, 0), block(2, 100), block(1, 50), block(0, 1)]);
  expect(heightsOf(gas?.points ?? [])).toEqual([2, 50, 100, 0]);
  expect(heightsOf(seriesOf([block(0, 0)])[0]?.points ?? [])).toEqual([0]);
});
