import { packDetails, unpackDetails } from './contracts.ts';

const input = {
  language: 'Solidity' as const,
  sources: { 'a.sol': { content: 'contract A {}' } },
  settings: {},
};
const abiOf = (events: number) =>
  Array.from({ length: events }, (_, n) => ({ type: 'event', name: `E${n}`, inputs: [], anonymous: false }));

it('keeps the ABI and the sources of a contract', () => {
  const details = { abi: abiOf(1000), input };
  expect(unpackDetails(packDetails(details))).toEqual(details);
});

it('refuses an ABI that is small only while it is compressed', () => {
  expect(() => packDetails({ abi: abiOf(20_000), input })).toThrow(
    /the ABI has \d+ characters; at most 1048576/,
  );
});
