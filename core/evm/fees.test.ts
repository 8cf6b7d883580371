import { feesOf } from './fees.ts';

const item = { from: '0x', to: '0x', value: '0', data: '0x' };
const state = { baseFee: 10n, gasPrice: 12n, tip: 3n };

it("without fees, an item offers the node's tip and twice the base fee", () => {
  expect(feesOf(item, state)).toEqual({ fees: { maxFeePerGas: '23', maxPriorityFeePerGas: '3' } });
});

it("without fees on a chain without EIP-1559, an item offers the node's gas price", () => {
  expect(feesOf(item, { ...state, baseFee: undefined })).toEqual({ fees: { gasPrice: '12' } });
});
