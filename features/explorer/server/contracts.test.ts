import { startTestApi, type TestApi, type TestUser } from '../../../apiserver/testing/harness.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { networkType, tokenType } from '../../../core/api/resources/resources.ts';
import { aNetwork, aToken } from '../../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { contractsOfAll, contractsOfNetwork } from './knownContracts.ts';

const common = { workspaceId: 'one', namespace: 'ws-one' };
const users: TestUser[] = [
  { userId: 'ann', ...common },
  { userId: 'vic', role: 'viewer', ...common },
  { userId: 'key', permissions: ['tokens:read'], ...common },
  { userId: 'eve', workspaceId: 'two', namespace: 'ws-two' },
];
const at = (digit: string) => `0x${digit.repeat(40)}`;

let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

function seedNetwork(name: string, status: NetworkStatus = { state: 'Operational', enclaveID: 'e-1' }) {
  return kube.seed(networkType, aNetwork({ name, namespace: 'ws-one', status })).metadata.uid;
}

interface Deployed {
  tokenAddress: string;
  enclaveID?: string;
  extraAddresses?: Record<string, string>;
}

/** A token named like its symbol, on one network. */
function seedToken(symbol: string, networkID: string, { enclaveID = 'e-1', ...deployed }: Deployed) {
  const deployment = { network: 'any', networkID, enclaveID, state: 'Deployed' as const, ...deployed };
  const spec = { name: `The ${symbol}`, symbol, type: 'CCT' as const };
  const token = aToken({ name: symbol.toLowerCase(), namespace: 'ws-one', spec });
  return kube.seed(tokenType, { ...token, status: { deployments: [deployment] } });
}

const of = (id: string, query = '') => `/v1alpha/networks/${id}/contracts${query}`;
const named = ({ json }: { json: { items: { name: string; address: string }[] } }) =>
  json.items.map(({ name, address }) => `${name} ${address.slice(0, 3)}`);

it('each contract of a token has its role, in the order of addresses', async () => {
  const id = seedNetwork('a');
  const extraAddresses = { pool: at('1'), decimals: '6', chain_selector: '16015286601757825753' };
  const { metadata } = seedToken('GLD', id, { tokenAddress: at('B'), extraAddresses });
  const { status, json } = await api.request(of(id), { as: 'vic' });
  expect([status, json.kind, json.metadata]).toEqual([200, 'ContractList', {}]);
  const token = { id: metadata.uid, name: 'The GLD', symbol: 'GLD', decimals: 6 };
  const place = { origin: 'token', networkID: id, network: 'a' };
  expect(json.items).toEqual([
    {
      ...place,
      address: at('1'),
      name: 'BurnMintPool or LockReleasePool',
      token: { ...token, role: 'pool' },
    },
    { ...place, address: at('B'), name: 'CrossChainToken', token: { ...token, role: 'token' } },
  ]);
});

it('a stopped network is read as it is, and stays stopped', async () => {
  const id = seedNetwork('a', { state: 'Stopped', enclaveID: 'e-1' });
  seedToken('GLD', id, { tokenAddress: at('b') });
  const before = await kube.get(networkType, { namespace: 'ws-one', name: 'a' });
  expect(named(await api.request(of(id)))).toEqual(['CrossChainToken 0xb']);
  expect(await kube.get(networkType, { namespace: 'ws-one', name: 'a' })).toEqual(before);
});

it('a new chain has none of those before it', async () => {
  const id = seedNetwork('a');
  seedToken('OLD', id, { tokenAddress: at('b'), enclaveID: 'e-0' });
  expect((await api.request(of(id))).json.items).toEqual([]);
});

it('a name is part of that of the contract, or of the name or symbol of its token, in any case', async () => {
  const id = seedNetwork('a');
  seedToken('GLD', id, { tokenAddress: at('a'), extraAddresses: { pool: at('b') } });
  seedToken('SLV', id, { tokenAddress: at('c') });
  const found = async (name: string) => named(await api.request(of(id, `?name=${encodeURIComponent(name)}`)));
  expect(await found('crosschain')).toEqual(['CrossChainToken 0xa', 'CrossChainToken 0xc']);
  expect(await found('the gld')).toHaveLength(2);
  expect(await found('slv')).toEqual(['CrossChainToken 0xc']);
  expect(await found('copper')).toEqual([]);
});

it('pages follow each other, and a cursor is for one name', async () => {
  const id = seedNetwork('a');
  for (const digit of ['a', 'b', 'c']) seedToken(`T${digit}`, id, { tokenAddress: at(digit) });
  const first = await api.request(of(id, '?limit=2'));
  expect(named(first)).toEqual(['CrossChainToken 0xa', 'CrossChainToken 0xb']);
  const cursor = encodeURIComponent(first.json.metadata.cursor);
  const second = await api.request(of(id, `?limit=2&cursor=${cursor}`));
  expect([named(second), second.json.metadata]).toEqual([['CrossChainToken 0xc'], {}]);
  expect((await api.request(of(id, `?name=x&cursor=${cursor}`))).status).toBe(400);
});

describe('of the whole workspace', () => {
  const all = '/v1alpha/contracts';

  it('contracts of all networks are listed, in the order of networks', async () => {
    const [one, other] = [seedNetwork('a'), seedNetwork('b', { state: 'Stopped', enclaveID: 'e-1' })];
    seedToken('GLD', one, { tokenAddress: at('a') });
    seedToken('SLV', other, { tokenAddress: at('b') });
    const { json } = await api.request(`${all}?name=token`);
    const found = json.items.map(({ network }: { network: string }) => network);
    expect([...found].sort()).toEqual(['a', 'b']);
    expect(found).toEqual(one < other ? ['a', 'b'] : ['b', 'a']);
  });

  it('another workspace sees none of them', async () => {
    seedToken('GLD', seedNetwork('a'), { tokenAddress: at('a') });
    expect((await api.request(all, { as: 'eve' })).json.items).toEqual([]);
  });

  it('those of a network that was deleted are gone', async () => {
    const id = seedNetwork('a');
    seedToken('GLD', id, { tokenAddress: at('a') });
    expect((await api.request(all)).json.items).toHaveLength(1);
    await kube.delete(networkType, { namespace: 'ws-one', name: 'a' });
    await api.request('/v1alpha/networks');
    expect((await api.request(all)).json.items).toEqual([]);
    expect((await api.request(of(id))).status).toBe(404);
  });

  it('who may not read networks is refused', async () => {
    expect((await api.request(all, { as: 'key' })).status).toBe(403);
    expect((await api.request(of(seedNetwork('a')), { as: 'key' })).status).toBe(403);
  });
});

describe('contracts that were verified', () => {
  const network = (name: string, id: string) => {
    const { metadata, ...rest } = aNetwork({ name, namespace: 'ws-one', status: { enclaveID: 'e-1' } });
    return { ...rest, metadata: { ...metadata, uid: id, namespace: 'ws-one', resourceVersion: '1' } };
  };
  const verified = (networkID: string, enclaveID: string, digit: string) => ({
    networkID,
    enclaveID,
    address: at(digit),
    name: 'src/Counter.sol:Counter',
    compiler: '0.8.28',
    match: 'match',
    verifiedAt: '2031-01-31T12:00:00Z',
  });
  const tokens = { inNamespace: () => [] };

  it('are those of the current chains of networks that exist', async () => {
    const listContracts = async () => [
      verified('n1', 'e-1', 'a'),
      verified('n1', 'e-0', 'b'),
      verified('gone', 'e-1', 'c'),
    ];
    const found = await contractsOfAll({ listContracts, tokens }, 'ws-one', [network('one', 'n1') as never]);
    expect(found).toEqual([
      {
        address: at('a'),
        name: 'src/Counter.sol:Counter',
        origin: 'verified',
        networkID: 'n1',
        network: 'one',
        compiler: '0.8.28',
        match: 'match',
        verifiedAt: '2031-01-31T12:00:00Z',
      },
    ]);
  });

  it('are asked for by the chain of the network alone, and keep their token', async () => {
    const asked: unknown[] = [];
    const listContracts = async (where: unknown) => {
      asked.push(where);
      return [verified('n1', 'e-1', 'A')];
    };
    const deployment = { network: 'one', networkID: 'n1', enclaveID: 'e-1', tokenAddress: at('a') };
    const token = { ...aToken(), status: { deployments: [deployment] } };
    const deps = { listContracts, tokens: { inNamespace: () => [token as never] } };
    const found = await contractsOfNetwork(deps, network('one', 'n1') as never);
    expect(asked).toEqual([{ namespace: 'ws-one', chain: { networkID: 'n1', enclaveID: 'e-1' } }]);
    expect(found).toMatchObject([{ origin: 'verified', address: at('A'), token: { symbol: 'EXM' } }]);
  });
});
