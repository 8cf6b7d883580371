import { hasValidChecksum } from './eip55.ts';

/** The examples of EIP-55. */
const examples = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

it.each(examples)('%s has its checksum, and every other case of a letter is wrong', (address) => {
  expect(hasValidChecksum(address)).toBe(true);
  for (const [index, digit] of [...address].entries()) {
    if (index < 2 || /\d/.test(digit)) continue;
    const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
    expect(hasValidChecksum(address.slice(0, index) + other + address.slice(index + 1))).toBe(false);
  }
});

it('letters in one case have no checksum', () => {
  for (const address of examples) {
    expect(hasValidChecksum(address.toLowerCase())).toBe(true);
    expect(hasValidChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(true);
  }
  expect(hasValidChecksum(`0x${'0'.repeat(40)}`)).toBe(true);
});
