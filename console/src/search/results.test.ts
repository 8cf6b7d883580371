import { resultsOf, type Searched } from './results.ts';

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
  pages: [{ path: '/settings/audit', label: 'Audit' }],
  networkId: 'n2',
  explorer: { label: 'Explorer', pathOf: (id, on) => `/${id}/${on ? `${on.kind}/${on.value}` : 'chain'}` },
  found: { onChains: [], named: [] },
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

it('what a feature finds is first if the text says it, and otherwise among the names', () => {
  const vault = { key: 'v', kind: 'contract', title: 'Vault', detail: '', path: '/n4/address/0xcc' } as const;
  const block = { key: 'b', kind: 'block', title: '12 on delta', detail: '', path: '/n4/block/12' } as const;
  const found = (text: string) =>
    resultsOf(text, { ...searched, found: { onChains: [block], named: [vault] } }).map(({ title }) => title);
  expect(found('vault')).toEqual(['12 on delta', 'Vault']);
  expect(found('gold')).toEqual(['12 on delta', 'Gold']);
});

it('without pages about chains, a network is its own page alone, and a named address is in the list of all', () => {
  const without = { ...searched, explorer: undefined };
  expect(resultsOf('alpha', without).map(({ title }) => title)).toEqual(['alpha', 'alpha-key', 'beta-alpha']);
  expect(resultsOf('treas', without).map(({ path }) => path)).toEqual(['/settings/addresses?q=Treasury']);
});

it('symbols, states and pages are found', () => {
  expect(titles('gld')).toEqual(['token Gold']);
  expect(titles('n4')).toEqual(['network delta']);
  expect(titles('stopped')).toEqual(['network delta']);
  expect(titles('audit')).toEqual(['page Audit']);
  expect(titles('nothing of this')).toEqual([]);
  expect(titles('').length).toBeGreaterThan(10);
});

it('an address with a name is found by it, on the chain of the page, and otherwise in the list of all', () => {
  const named = `0x${'cd'.repeat(20)}`;
  expect(resultsOf('treas', searched)).toMatchObject([
    { kind: 'address', title: 'Treasury', detail: named, path: `/n2/address/${named}` },
  ]);
  for (const networkId of [undefined, 'n3'])
    expect(resultsOf('treas', { ...searched, networkId }).map(({ path }) => path)).toEqual([
      '/settings/addresses?q=Treasury',
    ]);
});
