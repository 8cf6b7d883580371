import { packText } from '../../../core/lib/text/packedText.ts';
import { abiOf, detailsOf, packDetails } from './details.ts';

const input = {
  language: 'Solidity' as const,
  sources: { 'a.sol': { content: 'contract A {}' } },
  settings: {},
};
const abiWith = (events: number) =>
  Array.from({ length: events }, (_, n) => ({ type: 'event', name: `E${n}`, inputs: [], anonymous: false }));

it('keeps the ABI and the sources of a contract', async () => {
  const details = { abi: abiWith(1000), input };
  const packed = await packDetails(details);
  expect(await detailsOf(packed, () => undefined)).toEqual(details);
  expect(JSON.parse(await abiOf(packed, () => undefined))).toEqual(details.abi);
});

it('the sources are neither unpacked nor charged for the ABI', async () => {
  const charges: number[] = [];
  const { abi } = await packDetails({ abi: abiWith(3), input });
  expect(
    JSON.parse(await abiOf({ abi, data: 'not packed'.repeat(10_000) }, (requests) => charges.push(requests))),
  ).toEqual(abiWith(3));
  expect(charges).toEqual([1]);
});

it('the ABI of a contract that was stored without one of its own is among its details, which are charged', async () => {
  const charges: number[] = [];
  const unlike = Array.from({ length: 20_000 }, (_, n) => n * n * 7919).join();
  const sources = { 'a.sol': { content: unlike } };
  const data = await packText(JSON.stringify({ abi: abiWith(3), input: { ...input, sources } }));
  expect(JSON.parse(await abiOf({ data }, (requests) => charges.push(requests)))).toEqual(abiWith(3));
  expect(charges).toEqual([Math.ceil(data.length / 8192)]);
});

it('refuses an ABI that is small only while it is compressed', async () => {
  await expect(packDetails({ abi: abiWith(20_000), input })).rejects.toThrow(
    /the ABI has \d+ characters; at most 1048576/,
  );
});
