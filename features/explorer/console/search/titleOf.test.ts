import { titleOf } from './titleOf.ts';

const hash = `0x7e6a${'0'.repeat(54)}c0ffee`;
const treasury = `0x${'ab'.repeat(20)}`;
const nameOf = (address: string) => (address === treasury ? 'treasury' : undefined);

test.each([
  ['a block', { kind: 'block', value: '8' }, 'evm', 'Block 8'],
  ['a block by its hash', { kind: 'block', value: hash }, 'evm', 'Block 0x7e6a00…c0ffee'],
  ['a slot', { kind: 'block', value: '8' }, 'solana', 'Slot 8'],
  ['a transaction', { kind: 'tx', value: hash }, 'evm', 'Transaction 0x7e6a00…c0ffee'],
  ['an address', { kind: 'address', value: `0x${'12'.repeat(20)}` }, 'evm', 'Address 0x1212…1212'],
  ['an address with a name', { kind: 'address', value: treasury }, 'evm', 'treasury'],
] as const)('the tab says what it shows: %s', (_, target, family, title) => {
  expect(titleOf(target, family, nameOf)).toBe(title);
});
