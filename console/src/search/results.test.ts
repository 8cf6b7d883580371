import { placesOf, resultsOf, type Searched } from './results.ts';

const aNetwork = (id: string, name: string, type = 'Ethereum', state = 'Operational') =>
  ({ id, name, spec: { chain: { type } }, status: { state, chainID: '7' } }) as never;
const searched: Searched = {
  networks: [
    aNetwork('n1', 'alpha'),
    aNetwork('n2', 'beta-alpha'),
    aNetwork('n3', 'gamma', 'Solana'),
    aNetwork('n4', 'delta', 'Base', 'Stopped'),
  ],
  tokens: [{ id: 't1', name: 'Gold', symbol: 'GLD', type: 'ERC20' } as never],
  recordings: [{ id: 'r1', user_address: '0xabc', state: 'recorded' } as never],
  secrets: [{ id: 's1', name: 'alpha-key', type: 'private-key' } as never],
  addresses: new Map([[`0x${'cd'.repeat(20)}`, 'Treasury']]),
  book: '/settings/addresses',
  contracts: [
    {
      address: `0x${'c'.repeat(40)}`,
      name: 'src/Vault.sol:Vault',
      origin: 'verified',
      networkID: 'n4',
      network: 'delta',
    },
  ],
  pages: [{ path: '/settings/audit', label: 'Audit' }],
  networkId: 'n2',
  found: ['n1', 'n2'],
};
const titles = (text: string) => resultsOf(text, searched).map(({ kind, title }) => `${kind} ${title}`);

it('names that are the text come first, then those that begin with it, then those that have it', () => {
  expect(titles('alpha')).toEqual([
    'network alpha',
    'secret alpha-key',
    'page Explorer of alpha',
    'network beta-alpha',
    'page Explorer of beta-alpha',
  ]);
});

it('a contract is found by its name, and opens in the explorer of its network', () => {
  const [first] = resultsOf('vault', searched);
  expect(first).toMatchObject({
    kind: 'contract',
    title: 'Vault',
    path: `/networks/n4/explorer/address/0x${'c'.repeat(40)}`,
  });
  expect(titles('src/vault.sol')).toEqual(['contract Vault']);
});

it('symbols, states and pages are found', () => {
  expect(titles('gld')).toEqual(['token Gold']);
  expect(titles('n4')).toEqual(['network delta']);
  expect(titles('stopped')).toEqual(['network delta']);
  expect(titles('audit')).toEqual(['page Audit']);
  expect(titles('nothing of this')).toEqual([]);
  expect(titles('').length).toBeGreaterThan(10);
});

const address = `0x${'ab'.repeat(20)}`;

it('an address is looked for on each chain of its family that runs, and listed where it is', () => {
  expect(placesOf(address, searched).map(({ networkId }) => networkId)).toEqual(['n2', 'n1']);
  expect(resultsOf(address, { ...searched, found: undefined })).toEqual([]);
  expect(resultsOf(address, { ...searched, found: ['n1'] }).map(({ title }) => title)).toEqual([
    '0xabababab…ababab on alpha',
  ]);
});

it('an address with a name is found by it, on the chain of the page, and otherwise in the list of all', () => {
  const named = `0x${'cd'.repeat(20)}`;
  expect(resultsOf('treas', searched)).toMatchObject([
    { kind: 'address', title: 'Treasury', detail: named, path: `/networks/n2/explorer/address/${named}` },
  ]);
  for (const networkId of [undefined, 'n3'])
    expect(resultsOf('treas', { ...searched, networkId }).map(({ path }) => path)).toEqual([
      '/settings/addresses?q=Treasury',
    ]);
});

it('that of the page is first', () => {
  expect(resultsOf(address, searched).map(({ path }) => path)).toEqual([
    `/networks/n2/explorer/address/${address}`,
    `/networks/n1/explorer/address/${address}`,
  ]);
});

it('a number is a block of the network of the page alone', () => {
  expect(resultsOf('12', searched).map(({ path }) => path)).toEqual(['/networks/n2/explorer/block/12']);
  expect(resultsOf('12', { ...searched, networkId: undefined })).toEqual([]);
});
