import { contractResult, placesOf, resultsAt } from './found.ts';

const aNetwork = (id: string, name: string, type = 'Ethereum', state = 'Operational') =>
  ({ id, name, spec: { chain: { type } }, status: { state, chainID: '7' } }) as never;
const within = {
  networks: [
    aNetwork('n1', 'alpha'),
    aNetwork('n2', 'beta-alpha'),
    aNetwork('n3', 'gamma', 'Solana'),
    aNetwork('n4', 'delta', 'Base', 'Stopped'),
  ],
  networkId: 'n2',
};
const address = `0x${'ab'.repeat(20)}`;

it('an address is looked for on each chain of its family that runs, and listed where it is', () => {
  const places = placesOf(address, within);
  expect(places.map(({ networkId }) => networkId)).toEqual(['n2', 'n1']);
  expect(resultsAt(places, undefined)).toEqual([]);
  expect(resultsAt(places, ['n1']).map(({ title }) => title)).toEqual(['0xabababab…ababab on alpha']);
});

it('that of the page is first', () => {
  expect(resultsAt(placesOf(address, within), ['n1', 'n2']).map(({ path }) => path)).toEqual([
    `/networks/n2/explorer/address/${address}`,
    `/networks/n1/explorer/address/${address}`,
  ]);
});

it('a number is a block of the network of the page alone', () => {
  const paths = resultsAt(placesOf('12', within)).map(({ path }) => path);
  expect(paths).toEqual(['/networks/n2/explorer/block/12']);
  expect(placesOf('12', { ...within, networkId: undefined })).toEqual([]);
});

it('a contract is found by its name, also by what a compiler calls it, and opens in the explorer of its network', () => {
  const result = contractResult({
    address: `0x${'c'.repeat(40)}`,
    name: 'src/Vault.sol:Vault',
    origin: 'verified',
    networkID: 'n4',
    network: 'delta',
  });
  expect(result).toMatchObject({
    kind: 'contract',
    title: 'Vault',
    also: 'src/vault.sol:vault ',
    path: `/networks/n4/explorer/address/0x${'c'.repeat(40)}`,
  });
});
