import { labels } from '../../core/api/names.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import { deploymentListSchema, deploymentSchema, tokenListSchema } from '../../core/api/rest/token.ts';
import { tokenTypes } from '../../core/api/rules/tokenArgs.ts';
import { aToken } from '../../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { startTokenApi, type TokenApi, unknownId } from './testing/fixtures.ts';

const hash = `0x${'b'.repeat(64)}`;
const address = `0x${'a'.repeat(40)}`;
const deployedAt = '2026-11-21T10:00:00Z';

let tokens: TokenApi<FakeKube>;
beforeEach(async () => {
  tokens = await startTokenApi(createFakeKube());
});
afterEach(() => tokens.api.close());

const deployed = async (network: string, body: object = {}, standard = 'erc20') =>
  (await tokens.deploy(network, { body, standard })).json;
const list = async (query = '', as = 'ann') => (await tokens.ask(query, { as })).json;
const symbolsOf = (page: { items: { symbol: string }[] }) => page.items.map(({ symbol }) => symbol).sort();

test('a wrapped token has the decimals of its contract', async () => {
  const network = await tokens.addNetwork('net');
  const args = { underlying_token_address: address };
  const body = { deployments: [{ network_id: network, args }] };
  const { id, decimals } = await deployed(network, body, 'cct/lock-release');
  expect(decimals).toBe(18);
  const extraAddresses = { pool: address, decimals: '6' };
  await tokens.setStatus(id, [
    { network: 'net', networkID: network, state: 'Deployed', tokenAddress: address, extraAddresses },
  ]);
  while ((await tokens.ask(`/${id}`)).json.deployments[0].token_address === '');
  expect((await tokens.ask(`/${id}`)).json.decimals).toBe(6);
});

test('returns the status of a deployment that the operator reports', async () => {
  const network = await tokens.addNetwork('net');
  const { id } = await deployed(network);
  await tokens.setStatus(id, [
    {
      network: 'net',
      networkID: network,
      state: 'Deployed',
      tokenAddress: address,
      block: 3,
      extraAddresses: { pool: address },
      deploymentTx: hash,
      deployedAt,
    },
    { network: 'taken-away', state: 'Deployed', tokenAddress: address },
  ]);
  const path = `/${id}/deployments/${network}`;
  let { json } = await tokens.ask(path);
  while (json.token_address === '') json = (await tokens.ask(path)).json;
  expect(deploymentSchema.parse(json)).toEqual(json);
  const deployment = {
    id: json.id,
    token_id: id,
    network_id: network,
    token_address: address,
    args: { total_supply: '1000000' },
    extra_addresses: { pool: address },
    state: 'Deployed',
    deployment_tx: hash,
    deployed_at: deployedAt,
  };
  expect(json).toEqual(deployment);
  expect((await tokens.ask(`/${id}`)).json.deployments).toEqual([deployment]);
  expect((await list()).items[0].deployments).toEqual([deployment]);
  expect((await list(`/${id}/deployments`)).items).toEqual([deployment]);
});

test('ids of deployments are well-formed and stable', async () => {
  const networks = [await tokens.addNetwork('a'), await tokens.addNetwork('b')];
  const first = await deployed(networks[0] ?? '');
  const body = { networks: [networks[1]], args: { total_supply: '1' } };
  const { json } = await tokens.ask(`/${first.id}/add-deployments`, { body });
  const ids = json.deployments.map((one: { id: string }) => one.id);
  expect(ids[0]).toBe(first.deployments[0].id);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('total_supply is that of the first deployment that has one; wrapped tokens have none', async () => {
  const network = await tokens.addNetwork('a');
  const wrapping = { total_supply: undefined, underlying_token_address: address };
  const { json } = await tokens.deploy(network, { standard: 'cct/burn-mint', args: wrapping });
  expect([json.total_supply, json.mechanism]).toEqual(['0', 'burn-mint']);
  const body = { networks: [await tokens.addNetwork('b')], args: { total_supply: '9' } };
  expect((await tokens.ask(`/${json.id}/add-deployments`, { body })).json.total_supply).toBe('9');
});

describe('a token created with kubectl', () => {
  test('without an owner belongs to the whole workspace, and shows network ids once they are known', async () => {
    const token = aToken({ namespace: tokens.namespace, metadata: { labels: {} } });
    const { metadata } = await tokens.kube.create(tokenType, token);
    const path = `/${metadata.uid}`;
    let { json } = await tokens.ask(path, { as: 'dan' });
    expect(json).toMatchObject({ user_id: '', deployments: [{ network_id: 'my-network' }] });
    const network = await tokens.addNetwork('my-network');
    while (json.deployments[0].network_id !== network) json = (await tokens.ask(path)).json;
    expect((await list()).items).toEqual([json]);
    expect((await list('', 'dan')).items).toEqual([json]);
    expect((await tokens.ask(`${path}/deployments/${network}`)).status).toBe(200);
    await tokens.setStatus(metadata.uid, [{ network: 'my-network', networkID: network, message: 'waits' }]);
    while (json.deployments[0].message !== 'waits') [json] = (await list()).items;
  });

  test('belongs to the user in its label', async () => {
    const owned = { labels: { [labels.owner]: 'dan' } };
    await tokens.kube.create(tokenType, aToken({ namespace: tokens.namespace, metadata: owned }));
    expect((await list()).items).toEqual([]);
    expect((await list('', 'dan')).items).toMatchObject([{ user_id: 'dan' }]);
  });
});

describe('lists', () => {
  beforeEach(async () => {
    const network = await tokens.addNetwork('net');
    for (const symbol of ['AAA', 'BBB', 'CCC']) await deployed(network, { symbol });
    await deployed(network, { symbol: 'AAA', name: 'Locked "A" && \\' }, 'cct/lock-release');
    await tokens.deploy(network, { as: 'dan', body: { symbol: 'DAN' } });
    const theirs = await tokens.addNetwork('theirs', { inNamespace: tokens.otherNamespace });
    await tokens.deploy(theirs, { as: 'ben', body: { symbol: 'BEN' } });
  });

  test('contain the tokens of the caller', async () => {
    const page = await list();
    expect(tokenListSchema.parse(page)).toEqual(page);
    expect(page).toMatchObject({ kind: 'TokenList', version: 'v1alpha1', metadata: {} });
    expect(symbolsOf(page)).toEqual(['AAA', 'AAA', 'BBB', 'CCC']);
    expect(symbolsOf(await list('', 'dan'))).toEqual(['DAN']);
    expect(symbolsOf(await list('', 'ben'))).toEqual(['BEN']);
  });

  const locked = encodeURIComponent('Locked "A" && \\');
  test.each([
    ['type', '?type=ERC20', ['AAA', 'BBB', 'CCC']],
    ['symbol', '?symbol=AAA', ['AAA', 'AAA']],
    ['a name with any characters', `?name=${locked}`, ['AAA']],
    ['all of them', `?symbol=AAA&type=CCT&name=${locked}`, ['AAA']],
    ['a symbol that no token has', '?symbol=aaa', []],
    ['an empty name, which no token has', '?name=', []],
    ['a selector', `?selector=${encodeURIComponent('symbol IN (BBB, CCC)')}`, ['BBB', 'CCC']],
    ['a selector by name', `?selector=${encodeURIComponent('name != Example')}`, ['AAA']],
    ['both', `?type=ERC20&selector=${encodeURIComponent('symbol != AAA')}`, ['BBB', 'CCC']],
  ])('are filtered by %s', async (_reason, query, symbols) => {
    expect(symbolsOf(await list(query))).toEqual(symbols);
  });

  test('are paged, with a separate cursor for each filter', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=1&type=ERC20${cursor}`);
      expect(page.items).toHaveLength(1);
      seen.push(...symbolsOf(page));
      cursor = page.metadata.cursor ? `&cursor=${encodeURIComponent(page.metadata.cursor)}` : '';
    } while (cursor);
    expect(seen.sort()).toEqual(['AAA', 'BBB', 'CCC']);
    const { metadata } = await list('?limit=1&type=ERC20');
    const other = await tokens.ask(`?limit=1&cursor=${encodeURIComponent(metadata.cursor)}`);
    expect([other.status, other.json.details[0].path]).toEqual([400, 'cursor']);
  });

  test.each([
    ['an unknown standard', '?type=ERC721', 'type'],
    ['an unknown parameter', '?owner=ann', 'owner'],
    ['a selector on another field', '?selector=decimals==18', 'selector'],
    ['a limit of zero', '?limit=0', 'limit'],
  ])('%s is 400', async (_reason, query, path) => {
    const { status, json } = await tokens.ask(query);
    expect([status, json.details[0].path]).toEqual([400, path]);
  });
});

test('deployments are paged', async () => {
  const networks = await Promise.all(['a', 'b', 'c'].map((name) => tokens.addNetwork(name)));
  const deployments = networks.map((network_id) => ({ network_id, args: { total_supply: '1' } }));
  const { id } = await deployed('', { deployments });
  const all = await list(`/${id}/deployments`);
  expect(deploymentListSchema.parse(all)).toEqual(all);
  expect(all.kind).toBe('DeploymentList');
  const idsOf = (page: { items: { network_id: string }[] }) => page.items.map((one) => one.network_id);
  expect(idsOf(all)).toEqual(networks.toSorted());
  const first = await list(`/${id}/deployments?limit=2`);
  const rest = await list(`/${id}/deployments?limit=2&cursor=${encodeURIComponent(first.metadata.cursor)}`);
  expect([idsOf(first), idsOf(rest), rest.metadata]).toEqual([
    networks.toSorted().slice(0, 2),
    networks.toSorted().slice(2),
    {},
  ]);
  const { id: other } = await deployed('', { deployments });
  const foreign = `/${other}/deployments?cursor=${encodeURIComponent(first.metadata.cursor)}`;
  expect((await tokens.ask(foreign)).status).toBe(400);
});

test('standards are listed', async () => {
  const { status, json } = await tokens.api.request('/transaction/v1alpha1/transaction/token-types');
  expect([status, json.slice(0, 4)]).toEqual([200, ['ERC20', 'ERC3643', 'CCT', 'OFT']]);
  expect(json).toEqual(tokenTypes);
});

test('a token or deployment that does not exist is 404', async () => {
  const network = await tokens.addNetwork('net');
  const { id } = await deployed(network);
  for (const path of [`/${unknownId}`, `/${unknownId}/deployments`, `/${id}/deployments/${unknownId}`]) {
    expect((await tokens.ask(path)).status).toBe(404);
  }
  expect((await tokens.ask(`/${id}`, { as: 'vic' })).status).toBe(200);
  expect((await tokens.ask(`/${id}`, { as: 'ben' })).status).toBe(404);
});
